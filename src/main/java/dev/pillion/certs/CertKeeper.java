package dev.pillion.certs;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.kube.WebhookWrites;

/**
 * Keeps certificate and caBundle in step, in an order that no review fails (stack.md, Admission).
 * A look:
 * 1. If something is due (Renewal), make it. A new CA is told to the API server, beside the old one, before its certificate is used.
 * 2. Otherwise tell the API server the CAs that are in use, if it knows others; the old one is dropped at the look after the change.
 * 3. Return the serving certificate if it is a new one.
 * Not safe for several threads.
 */
public final class CertKeeper {
    private final CertMaker maker;
    private final WebhookPlace place;
    private final String namespace;
    private final InstantSource clock;
    private final WebhookWrites writes;
    private Credentials credentials;

    /** Makes the first certificate at once; writes nothing yet. */
    public CertKeeper(CertMaker maker, WebhookPlace place, String namespace, InstantSource clock, WebhookWrites writes) {
        this.maker = maker;
        this.place = place;
        this.namespace = namespace;
        this.clock = clock;
        this.writes = writes;
        this.credentials = maker.fresh(clock.instant());
    }

    /** The certificate to serve with now. */
    public CertChanged serving() {
        Credentials.Pair pair = credentials.serving();
        return new CertChanged(pair.certificatePem(), pair.keyPem());
    }

    /** PEM of the CA that signed the certificate. */
    public String authorityPem() {
        return credentials.authority().certificatePem();
    }

    /**
     * One look; blocking. Empty: the certificate is still the same.
     *
     * @throws dev.pillion.kube.KubeException when the API server refuses; the same look may be tried again
     */
    Optional<CertChanged> look() {
        switch (Renewal.of(credentials, clock.instant(), maker.names())) {
            case NOTHING -> {
                tell(authorityPem());
                return Optional.empty();
            }
            case SERVING -> credentials = maker.renewServing(credentials, clock.instant());
            case AUTHORITY -> {
                Credentials fresh = maker.fresh(clock.instant());
                tell(authorityPem() + fresh.authority().certificatePem());
                credentials = fresh;
            }
        }
        return Optional.of(serving());
    }

    private void tell(String authorities) {
        String caBundle = Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.US_ASCII));
        switch (place) {
            case WebhookPlace.Url(URI base) -> writes.putConfigurations(base, namespace, caBundle);
            case WebhookPlace.Service _ -> {
                writes.putCaBundle(caBundle);
                writes.putConversionCaBundle(caBundle);
            }
        }
    }
}

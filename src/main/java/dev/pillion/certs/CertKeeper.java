package dev.pillion.certs;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.kube.SharedSecret;
import dev.pillion.kube.WebhookWrites;

/**
 * Our own CA and certificate, shared by all replicas through one Secret, and told to the API server in an order that no review fails
 * (FR-69; stack.md, Admission). A look:
 * 1. Read the Secret. If something is due (Renewal), write it, guarded by the version that was read: of several replicas one succeeds,
 * the others read its result at their next look.
 * 2. If the certificate to serve is another one, return it. The API server already trusts its CA, since a next CA is told beside the
 * current one for {@link #TOLD_FOR} before it signs; only after the loss of everything a CA is told before its first use.
 * 3. Otherwise make caBundle what the Secret says, where it differs: re-applied manifests are healed.
 * A Secret that somebody deleted starts an orderly change of the CA.
 */
public final class CertKeeper implements CertSource {
    /** API servers hear of a changed configuration within moments. */
    static final Duration TOLD_FOR = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(CertKeeper.class);

    private final CertMaker maker;
    private final WebhookPlace place;
    private final String namespace;
    private final InstantSource clock;
    private final SharedSecret secret;
    private final WebhookWrites writes;
    /** What the Secret held at the last look. */
    private Optional<CertState> last = Optional.empty();
    private String toldBundle = "";
    private Optional<Staging> staging = Optional.empty();

    /** Since when the API server knows a next CA. */
    private record Staging(String authorityPem, Instant since) {
    }

    /** What is written and where. */
    public record Ports(SharedSecret secret, WebhookWrites writes) {
    }

    /** Writes nothing yet. */
    public CertKeeper(CertMaker maker, WebhookPlace place, String namespace, InstantSource clock, Ports ports) {
        this.maker = maker;
        this.place = place;
        this.namespace = namespace;
        this.clock = clock;
        this.secret = ports.secret();
        this.writes = ports.writes();
    }

    @Override
    public Look look(Look.Telling telling) {
        CertState state = advance();
        Optional<CertState> before = last;
        if (telling == Look.Telling.ALLOWED && !toldBundle.isEmpty()
                && !toldBundle.contains(state.current().authority().certificatePem())) {
            tell(state.bundle());
        }
        last = Optional.of(state);
        Credentials.Pair serving = state.current().serving();
        if (before.isEmpty() || !before.get().current().serving().equals(serving)) {
            return new Look.Changed(new CertChanged(serving.certificatePem(), serving.keyPem()), Pem.endOf(serving.certificatePem()));
        }
        if (telling == Look.Telling.ALLOWED) {
            tell(state.bundle());
            noteStaging(state);
        }
        return new Look.Settled();
    }

    /** What the Secret holds after this look. */
    private CertState advance() {
        Optional<SharedSecret.Stored> stored = secret.read();
        Instant now = clock.instant();
        CertState known = stored.map(s -> CertState.read(s.data())).orElseGet(() -> last.orElseGet(() -> CertState.of(maker.fresh(now))));
        Renewal step = Renewal.of(known, now, maker.names(), told(known, now));
        if (stored.isEmpty() && last.isPresent() && step == Renewal.NOTHING) {
            step = Renewal.STAGE;
        }
        CertState next = switch (step) {
            case NOTHING -> known;
            case FRESH -> CertState.of(maker.fresh(now)).withRetired(last.map(l -> l.current().authority().certificatePem()));
            case STAGE -> known.withStaged(maker.authority(now));
            case PROMOTE -> promote(known, now);
            case SERVING -> known.withCurrent(maker.renewServing(known.current(), now));
            case RETIRE -> known.withRetired(Optional.empty());
        };
        if (stored.isEmpty() || step != Renewal.NOTHING) {
            write(stored, next);
            LOG.atInfo().addKeyValue("reason", step.name()).log("Webhook certificates written");
        }
        return next;
    }

    private CertState promote(CertState known, Instant now) {
        Credentials.Pair authority = known.staged().orElseThrow();
        return new CertState(maker.renewServing(new Credentials(authority, known.current().serving()), now), Optional.empty(),
                Optional.of(known.current().authority().certificatePem()).filter(pem -> !pem.isEmpty()));
    }

    private void write(Optional<SharedSecret.Stored> stored, CertState next) {
        if (stored.isPresent()) {
            secret.replace(stored.get(), next.data());
        } else {
            secret.create(next.data());
        }
    }

    private Renewal.Told told(CertState known, Instant now) {
        return staging.filter(s -> known.staged().map(Credentials.Pair::certificatePem).equals(Optional.of(s.authorityPem)))
                .filter(s -> !s.since.plus(TOLD_FOR).isAfter(now)).isPresent() ? Renewal.Told.YES : Renewal.Told.NO;
    }

    private void noteStaging(CertState state) {
        Optional<String> staged = state.staged().map(Credentials.Pair::certificatePem);
        if (!staged.equals(staging.map(Staging::authorityPem))) {
            staging = staged.map(pem -> new Staging(pem, clock.instant()));
        }
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
        toldBundle = authorities;
    }
}

package dev.pillion.app;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.certs.CertKeeper;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.CertSource;
import dev.pillion.certs.CertVerticle;
import dev.pillion.certs.Credentials;
import dev.pillion.certs.FileCerts;
import dev.pillion.certs.Look;
import dev.pillion.certs.WebhookPlace;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.CertMeters;
import dev.pillion.metrics.Meters;

/**
 * The certificates of one controller: where they come from and what the server starts with. That is the pair that all replicas serve, so
 * that a restart is no change for the API server; if it cannot be had at once, a pair that nobody trusts, until the controller is ready.
 */
final class Certificates {
    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);
    private static final String SERVICE = "pillion-webhook-service";
    private static final String SECRET = "pillion-webhook-certs";
    private static final int TRIES = 3;

    private final CertSource source;
    private final CertChanged first;
    private final CertMeters meters;

    private Certificates(CertSource source, CertChanged first, CertMeters meters) {
        this.source = source;
        this.first = first;
        this.meters = meters;
    }

    /** Looks once, blocking for one request; writes at most the Secret. */
    static Certificates find(Launch launch, KubeClient kube, Meters meters) {
        CertMeters certMeters = new CertMeters(meters);
        CertSource source = source(launch, kube);
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                if (source.look(Look.Telling.NOT_YET) instanceof Look.Changed changed) {
                    certMeters.serving(changed.ends());
                    return new Certificates(source, changed.pair(), certMeters);
                }
                break;
            } catch (KubeException e) {
                LOG.atInfo().addKeyValue("reason", e.getMessage()).log("No shared certificate yet");
                // Another replica that starts now was first: what it wrote is there at once.
                if (!e.isConflict() && !e.isAlreadyExists()) {
                    break;
                }
            }
        }
        Credentials.Pair own = new CertMaker(new SecureRandom(), List.of("localhost")).fresh(Clock.systemUTC().instant()).serving();
        return new Certificates(source, new CertChanged(own.certificatePem(), own.keyPem()), certMeters);
    }

    private static CertSource source(Launch launch, KubeClient kube) {
        return switch (launch.config().certs().source()) {
            case EXTERNAL -> new FileCerts(launch.config().certs().directory(), Clock.systemUTC());
            case OWN -> {
                String namespace = launch.config().namespace();
                WebhookPlace place = launch.webhookUrl().<WebhookPlace>map(WebhookPlace.Url::new).orElse(new WebhookPlace.Service(SERVICE));
                yield new CertKeeper(new CertMaker(new SecureRandom(), place.names(namespace)), place, namespace, Clock.systemUTC(),
                        new CertKeeper.Ports(kube.sharedSecret(SECRET), kube.webhookWrites()));
            }
        };
    }

    /** What the server starts with. */
    CertChanged first() {
        return first;
    }

    /** Looks after them from now on, and lets the API server know. */
    CertVerticle verticle() {
        return new CertVerticle(source, meters);
    }
}

package dev.pillion.certs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.HealthParts;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.CertMeters;

/** Looks after the certificate from time to time and spreads a new one. For a virtual thread: the looks block. */
public final class CertVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(CertVerticle.class);
    /** Also how long a re-applied manifest without caBundle goes unmended. */
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration PAUSE_AFTER_FAULT = Duration.ofSeconds(3);
    /** The listeners change meanwhile; another replica's write is over by then. */
    private static final Duration PAUSE_AFTER_CHANGE = Duration.ofSeconds(1);

    private final CertSource source;
    private final CertMeters meters;
    /** Once all was well, a passing fault of the API server is no reason to take this replica out of service. */
    private final AtomicBoolean settled = new AtomicBoolean();

    public CertVerticle(CertSource source, CertMeters meters) {
        this.source = source;
        this.meters = meters;
    }

    @Override
    public Future<?> start() {
        lookAndPlanNext();
        return Future.succeededFuture();
    }

    private void lookAndPlanNext() {
        vertx.setTimer(look().toMillis(), _ -> lookAndPlanNext());
    }

    private Duration look() {
        try {
            return switch (source.look(Look.Telling.ALLOWED)) {
                case Look.Changed changed -> {
                    meters.serving(changed.ends());
                    vertx.eventBus().publish(Addresses.CERTS, changed.pair());
                    yield PAUSE_AFTER_CHANGE;
                }
                case Look.Settled _ -> {
                    settled.set(true);
                    health(true, "");
                    yield PAUSE;
                }
                case Look.Kept(String reason) -> {
                    LOG.atWarn().addKeyValue("reason", reason).log("New certificate refused, the old one stays in use");
                    health(true, "");
                    yield PAUSE;
                }
                case Look.Lacking(String reason) -> {
                    LOG.atWarn().addKeyValue("reason", reason).log("No certificate, waiting");
                    health(false, reason);
                    yield PAUSE_AFTER_FAULT;
                }
            };
        } catch (KubeException e) {
            if (e.isConflict() || e.isAlreadyExists()) {
                return PAUSE_AFTER_CHANGE;
            }
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("Certificates could not be looked after, trying again");
            meters.failed();
            if (settled.get()) {
                return PAUSE;
            }
            health(false, "certificates and webhook configurations: " + e.getMessage());
            return PAUSE_AFTER_FAULT;
        }
    }

    private void health(boolean ok, String reason) {
        vertx.eventBus().publish(Addresses.HEALTH, new Health(HealthParts.CERTS, ok, reason));
    }
}

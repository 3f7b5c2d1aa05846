package dev.pillion.certs;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.kube.KubeException;

/** Looks after the certificate from time to time and spreads a new one. For a virtual thread: the looks block. */
public final class CertVerticle extends VerticleBase {
    /** Name of this part in Health messages. */
    public static final String PART = "certs";
    private static final Logger LOG = LoggerFactory.getLogger(CertVerticle.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration PAUSE_AFTER_FAULT = Duration.ofSeconds(3);

    private final CertKeeper keeper;

    public CertVerticle(CertKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public Future<?> start() {
        lookAndPlanNext();
        return Future.succeededFuture();
    }

    private void lookAndPlanNext() {
        Duration pause = PAUSE_AFTER_FAULT;
        try {
            keeper.look().ifPresent(this::spread);
            vertx.eventBus().publish(Addresses.HEALTH, new Health(PART, true, ""));
            pause = PAUSE;
        } catch (KubeException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("Webhook configurations could not be written, trying again");
            vertx.eventBus().publish(Addresses.HEALTH, new Health(PART, false, "webhook configurations not written: " + e.getMessage()));
        }
        vertx.setTimer(pause.toMillis(), _ -> lookAndPlanNext());
    }

    private void spread(CertChanged changed) {
        LOG.atInfo().log("Serving certificate renewed");
        vertx.eventBus().publish(Addresses.CERTS, changed);
    }
}

package dev.pillion.admission;

import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;

import dev.pillion.bus.BusMessage.CertChanged;

/**
 * The certificate that all servers of the port show, shared by their verticles. Each verticle hears of a new one, but one call changes
 * all servers, and Vert.x fails on a second call while the first is under way (tried on 5.0.7: it calls itself until the stack
 * overflows). So a certificate is asked for once, and changes come one after the other. Safe for all threads.
 */
public final class ServingCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(ServingCertificate.class);

    private final CertChanged first;
    private CertChanged latest;
    private Future<?> changes = Future.succeededFuture();

    /** @param first what the servers start with */
    public ServingCertificate(CertChanged first) {
        this.first = first;
        this.latest = first;
    }

    CertChanged first() {
        return first;
    }

    /**
     * Changes to the next one, unless that is what was asked for last.
     *
     * @param swap changes all servers; a failed result means that they keep what they have
     */
    synchronized void change(CertChanged next, Function<CertChanged, Future<?>> swap) {
        if (next.equals(latest)) {
            return;
        }
        latest = next;
        changes = changes.transform(_ -> swap.apply(next).map("")).onComplete(end -> {
            if (end.succeeded()) {
                LOG.atInfo().log("New certificate in use");
            } else {
                LOG.atError().addKeyValue("reason", String.valueOf(end.cause())).log("New certificate refused, the old one stays in use");
            }
        });
    }
}

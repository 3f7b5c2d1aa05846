package dev.pillion.kube;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes news on to whoever listens now; what a listener throws ends nothing (FR-60). */
final class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    volatile @Nullable Changes changes;

    void tell(String kind, Consumer<Changes> call) {
        Changes now = changes;
        if (now == null) {
            return;
        }
        try {
            call.accept(now);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("kind", kind).log("listener failed");
        }
    }
}

package dev.pillion.kube;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a watch last gave a sign of life (FR-60): an event, a bookmark, a successful list or start. Tells the listener of failures at once,
 * of life at most once a second, and the log of neither more often than every 30 s.
 */
final class WatchHealth {
    private static final Logger LOG = LoggerFactory.getLogger(WatchHealth.class);
    private static final long TELL_EVERY = Duration.ofSeconds(1).toNanos();

    private static final long LOG_EVERY = Duration.ofSeconds(30).toNanos();

    private final String word;
    private final Changes changes;
    private final LongSupplier nanos;
    private final AtomicLong lastSign;
    private long lastTold;
    private boolean wasAlive;
    private long lastLogged;
    private int unlogged;
    private boolean isLogged;

    WatchHealth(String word, Changes changes, LongSupplier nanos) {
        this.word = word;
        this.changes = changes;
        this.nanos = nanos;
        this.lastSign = new AtomicLong(nanos.getAsLong());
        this.lastLogged = nanos.getAsLong() - LOG_EVERY;
    }

    void alive() {
        long now = nanos.getAsLong();
        lastSign.set(now);
        if (isLogged) {
            isLogged = false;
            LOG.atInfo().addKeyValue("kind", word).log("watch is well again");
        }
        if (!wasAlive || now - lastTold >= TELL_EVERY) {
            wasAlive = true;
            lastTold = now;
            tell(true, "");
        }
    }

    void failed(String reason) {
        wasAlive = false;
        unlogged++;
        if (nanos.getAsLong() - lastLogged >= LOG_EVERY) {
            LOG.atWarn().addKeyValue("kind", word).addKeyValue("reason", reason).addKeyValue("times", unlogged).log("watch failed");
            lastLogged = nanos.getAsLong();
            unlogged = 0;
            isLogged = true;
        }
        tell(false, reason);
    }

    Duration silence() {
        return Duration.ofNanos(nanos.getAsLong() - lastSign.get());
    }

    private void tell(boolean ok, String reason) {
        try {
            changes.watch(word, ok, reason);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("kind", word).log("listener failed");
        }
    }
}

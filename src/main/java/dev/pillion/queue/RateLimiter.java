package dev.pillion.queue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How long a failed key waits: the longer of its own back-off and the wait for a token of the bucket that all keys share (events.md
 * 4.9-4.12). Not safe for threads.
 */
public final class RateLimiter<K> {

    /**
     * Settings queue.backoff-base, queue.backoff-max, queue.rate, queue.burst.
     *
     * @param ratePerSecond tokens that come back each second, for all keys together
     * @param burst tokens in the full bucket
     */
    public record Limits(Duration base, Duration max, double ratePerSecond, int burst) {
        public static final Limits DEFAULT = new Limits(Duration.ofMillis(5), Duration.ofSeconds(1000), 10, 100);

        public Limits {
            if (base.isNegative() || base.isZero() || max.compareTo(base) < 0 || !(ratePerSecond > 0) || burst < 1) {
                throw new IllegalArgumentException("limits must be positive, and the longest back-off no shorter than the first");
            }
        }
    }

    private final Limits limits;
    private final LongSupplier nanos;
    private final long nanosPerToken;
    private final Map<K, Integer> failures = new HashMap<>();
    /** The moment at which the bucket was empty; tokens are the time since then. In the future while tokens are owed. */
    private long emptyAt;

    public RateLimiter(Limits limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
        this.nanosPerToken = Math.max(1, Math.round(1e9 / limits.ratePerSecond));
        this.emptyAt = nanos.getAsLong() - full();
    }

    private long full() {
        return Math.multiplyExact(nanosPerToken, limits.burst);
    }

    /** Counts one more failure of the key and says how long it has to wait. Always takes a token. */
    public Duration next(K key) {
        return next(key, limits.max);
    }

    /** The same with another longest back-off. */
    public Duration next(K key, Duration longest) {
        int before = failures.merge(key, 1, Integer::sum) - 1;
        long wait = Math.max(Math.min(backoff(before), longest.toNanos()), reserve());
        return Duration.ofNanos(wait);
    }

    /** Failures since the last {@link #forget}. */
    public int failures(K key) {
        return failures.getOrDefault(key, 0);
    }

    public void forget(K key) {
        failures.remove(key);
    }

    private long backoff(int failuresBefore) {
        long base = limits.base.toNanos();
        long max = limits.max.toNanos();
        return failuresBefore >= Long.SIZE - 2 || base > max >> failuresBefore ? max : Math.min(max, base << failuresBefore);
    }

    private long reserve() {
        long now = nanos.getAsLong();
        if (now - full() - emptyAt > 0) {
            emptyAt = now - full();
        }
        emptyAt += nanosPerToken;
        return Math.max(0, emptyAt - now);
    }
}

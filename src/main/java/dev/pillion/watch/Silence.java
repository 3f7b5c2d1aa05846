package dev.pillion.watch;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** When each watch last gave a sign of life, and whether that is too long ago (setting health.watch-silence, FR-60). Safe for all threads. */
final class Silence {
    private final Duration limit;
    private final LongSupplier nanos;
    private final Map<String, Long> lastSign = new ConcurrentHashMap<>();

    Silence(Duration limit, LongSupplier nanos) {
        this.limit = limit;
        this.nanos = nanos;
    }

    /** Notes a sign of life. Answers whether the watch had been silent for too long until now. */
    boolean alive(String kind) {
        long now = nanos.getAsLong();
        Long before = lastSign.put(kind, now);
        return before != null && now - before > limit.toNanos();
    }

    /** Time until another watch would have been silent for too long if it stays silent, but at most this long. Always positive. */
    Duration untilNext(Duration atMost) {
        long now = nanos.getAsLong();
        return lastSign.values().stream().map(sign -> limit.minusNanos(now - sign)).filter(left -> !left.isNegative())
                .map(left -> left.plusMillis(1)).filter(left -> left.compareTo(atMost) < 0).min(Duration::compareTo).orElse(atMost);
    }

    /** Names the silent watches; empty when all speak. */
    Optional<String> complaint() {
        long now = nanos.getAsLong();
        String silent = lastSign.entrySet().stream().filter(e -> now - e.getValue() > limit.toNanos()).map(Map.Entry::getKey).sorted()
                .collect(Collectors.joining(", "));
        return silent.isEmpty() ? Optional.empty() : Optional.of("no sign of life for " + limit.toSeconds() + " s: " + silent);
    }
}

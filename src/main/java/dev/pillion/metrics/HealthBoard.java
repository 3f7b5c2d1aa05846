package dev.pillion.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import dev.pillion.bus.BusMessage.Health;

/**
 * What the parts said last. Ready: every named part said ok. Live: no beating part has stopped beating for longer than allowed; what
 * it says doesn't matter, so an unreachable API server never makes the process not live (FR-60). Safe for all threads.
 */
public final class HealthBoard {
    private final Set<String> neededForReady;
    private final Map<String, Duration> beating;
    private final LongSupplier nanos;
    private final ConcurrentMap<String, Said> said = new ConcurrentHashMap<>();

    private record Said(Health health, long at) {
    }

    /**
     * @param neededForReady names of parts; one that has not said anything yet is not ready
     * @param beating parts with a loop of their own that say something regularly, and for how long they may be silent. Counted from
     *        the first message, so a slow start is not a death
     */
    public HealthBoard(Set<String> neededForReady, Map<String, Duration> beating, LongSupplier nanos) {
        this.neededForReady = new TreeSet<>(neededForReady);
        this.beating = new TreeMap<>(beating);
        this.nanos = nanos;
    }

    public void accept(Health health) {
        said.put(health.part(), new Said(health, nanos.getAsLong()));
    }

    /** What keeps the process from being ready, one line each; empty when it is. */
    public List<String> notReady() {
        return neededForReady.stream().flatMap(part -> {
            Said last = said.get(part);
            if (last == null) {
                return Stream.of(part + ": not started");
            }
            return last.health.ok() ? Stream.empty() : Stream.of(part + ": " + last.health.reason());
        }).toList();
    }

    /** The parts whose loop is dead. */
    public List<String> notLive() {
        long now = nanos.getAsLong();
        return beating.entrySet().stream().filter(e -> {
            Said last = said.get(e.getKey());
            return last != null && now - last.at > e.getValue().toNanos();
        }).map(e -> e.getKey() + ": no sign of life for " + e.getValue().toSeconds() + " s").toList();
    }

    /** Parts that said not ok, whether needed or not, for the text of the probes. */
    public List<String> complaints() {
        return said.values().stream().map(Said::health).filter(h -> !h.ok()).map(h -> h.part() + ": " + h.reason()).sorted().toList();
    }
}

package dev.pillion.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.Counter;

/** How the watches are doing: seconds since the last sign of life by kind, events and faults (FR-60). Safe for all threads. */
public final class WatchMeters {
    private final Meters meters;
    private final LongSupplier nanos;
    private final ConcurrentMap<String, Long> lastSign = new ConcurrentHashMap<>();
    /** Looking a counter up in the registry costs more than what it counts. */
    private final ConcurrentMap<String, Counter> events = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Counter> enqueues = new ConcurrentHashMap<>();

    public WatchMeters(Meters meters, LongSupplier nanos) {
        this.meters = meters;
        this.nanos = nanos;
    }

    /** An event, bookmark or successful start of the watch of this kind. */
    public void alive(String kind) {
        if (lastSign.put(kind, nanos.getAsLong()) == null) {
            meters.gauge("pillion_watch_silence_seconds", "Seconds since the last event, bookmark or start of a watch",
                    () -> (nanos.getAsLong() - lastSign.getOrDefault(kind, nanos.getAsLong())) / 1e9, "kind", kind);
        }
    }

    public void failed(String kind) {
        meters.counter("pillion_watch_failures", "Watches that ended with an error", "kind", kind).increment();
    }

    public void event(String kind) {
        events.computeIfAbsent(kind, k -> meters.counter("pillion_watch_events", "Changes seen", "kind", k)).increment();
    }

    /** An event that our own code could not digest; the watch goes on. */
    public void broken(String kind) {
        meters.counter("pillion_watch_broken_events", "Changes that could not be judged", "kind", kind).increment();
    }

    public void enqueued(String cause) {
        enqueues.computeIfAbsent(cause, c -> meters.counter("pillion_enqueues", "Enqueues by cause", "cause", c)).increment();
    }
}

package dev.pillion.metrics;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/** client-go's work queue meters. Written by the queue's thread, read by any. */
public final class QueueMeters {
    /**
     * The queue as it is now.
     *
     * @param adds adds so far
     * @param retries rate-limited adds so far
     */
    public record State(int waiting, int held, long adds, long retries, int stuck, int deadWorkers) {
    }

    private final Counter staleTickets;
    private final Timer waited;
    private final Timer worked;
    private final AtomicReference<State> state = new AtomicReference<>(new State(0, 0, 0, 0, 0, 0));
    private final ConcurrentMap<Long, Long> startedAt = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    /** @param nanos the monotonic clock that {@link #taken} and {@link #done} go by */
    public QueueMeters(Meters meters, LongSupplier nanos) {
        this.nanos = nanos;
        String[] name = {"name", Meters.CONTROLLER};
        meters.count("workqueue_adds", "Adds handled by the work queue", () -> state.get().adds, name);
        meters.count("workqueue_retries", "Rate-limited adds", () -> state.get().retries, name);
        staleTickets = meters.counter("pillion_queue_stale_tickets", "Reports of workers that no longer held their key");
        Duration[] bounds = Meters.decades(10, 12);
        waited = meters.timer("workqueue_queue_duration", "Time a key waits before a worker takes it", bounds, name);
        worked = meters.timer("workqueue_work_duration", "Time a worker holds a key", bounds, name);
        meters.gauge("workqueue_depth", "Keys waiting for a worker", () -> state.get().waiting, name);
        meters.gauge("workqueue_unfinished_work_seconds", "Sum of the times of keys in work", this::unfinished, name);
        meters.gauge("workqueue_longest_running_processor_seconds", "Longest time of a key in work", this::longest, name);
        meters.gauge("pillion_queue_held_keys", "Keys held for a later time", () -> state.get().held);
        meters.gauge("pillion_queue_stuck_keys", "Keys in work for longer than queue.stuck-after", () -> state.get().stuck);
        meters.gauge("pillion_queue_dead_workers", "Workers that do not take messages any more", () -> state.get().deadWorkers);
    }

    public void now(State current) {
        state.set(current);
    }

    public void staleTicket() {
        staleTickets.increment();
    }

    public void taken(long ticket, Duration wait) {
        startedAt.put(ticket, nanos.getAsLong());
        waited.record(wait);
    }

    public void done(long ticket) {
        Long start = startedAt.remove(ticket);
        if (start != null) {
            worked.record(Duration.ofNanos(nanos.getAsLong() - start));
        }
    }

    private double unfinished() {
        long now = nanos.getAsLong();
        return startedAt.values().stream().mapToLong(s -> now - s).sum() / 1e9;
    }

    private double longest() {
        long now = nanos.getAsLong();
        return startedAt.values().stream().mapToLong(s -> now - s).max().orElse(0) / 1e9;
    }
}

package dev.pillion.metrics;

import java.util.function.Supplier;

/** What becomes of Pods that need something to start or to be ready. Safe for all threads. */
public final class StartupMeters {
    private final Meters meters;

    public StartupMeters(Meters meters) {
        this.meters = meters;
    }

    /**
     * Counts one write.
     *
     * @param what ready, barrier-create, barrier-add, barrier-adopt, barrier-delete or completed
     * @param result ok, or the word of the failure
     */
    public void write(String what, String result) {
        meters.counter("pillion_startup_writes", "Writes for Pods that start", "what", what, "result", result).increment();
    }

    /** Counts one look at a Pod that failed and is tried again. */
    public void failed(String reason) {
        meters.counter("pillion_startup_errors", "Looks at a starting Pod that failed and are repeated", "reason", reason).increment();
    }

    /** Pods that are not through: known, waiting for a worker, and failing or waiting for a later look. */
    public void pods(Supplier<Number> open, Supplier<Number> depth, Supplier<Number> held) {
        meters.gauge("pillion_startup_pods", "Pods that still need something to start or to be ready", open);
        meters.gauge("pillion_startup_queue_depth", "Starting Pods that wait for their turn", depth);
        meters.gauge("pillion_startup_held_pods", "Starting Pods that are looked at again later", held);
    }

    /** Pods whose KruisePodReady is not True for long, by who holds them back. */
    public void heldBack(String writer, Supplier<Number> pods) {
        meters.gauge("pillion_startup_unready_gates", "Pods whose readiness gate KruisePodReady is closed for long", pods, "writer",
                writer);
    }
}

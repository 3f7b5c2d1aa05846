package dev.pillion.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/** controller-runtime's reconcile meters, and what reconciles wrote. Safe for all threads. */
public final class ReconcileMeters {
    private static final double[] BOUNDS = {.005, .01, .025, .05, .1, .15, .2, .25, .3, .35, .4, .45, .5, .6, .7, .8, .9, 1, 1.25, 1.5,
            1.75,
            2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60};

    /** How a reconcile ended, in controller-runtime's words. */
    public enum Result {
        SUCCESS("success"), REQUEUE_AFTER("requeue_after"), ERROR("error");

        private final String word;

        Result(String word) {
            this.word = word;
        }
    }

    private record Write(String what, String result) {
    }

    private final Meters meters;
    private final AtomicInteger active = new AtomicInteger();
    private final Counter errors;
    private final Map<Result, Counter> totals = new EnumMap<>(Result.class);
    private final ConcurrentMap<Write, Counter> writes = new ConcurrentHashMap<>();
    private final Timer time;

    public ReconcileMeters(Meters meters, int workers) {
        this.meters = meters;
        String[] controller = {"controller", Meters.CONTROLLER};
        errors = meters.counter("controller_runtime_reconcile_errors", "Reconciles that ended with an error", controller);
        time = meters.timer("controller_runtime_reconcile_time", "Time of one reconcile", Meters.seconds(BOUNDS), controller);
        meters.gauge("controller_runtime_active_workers", "Workers in a reconcile", active::get, controller);
        meters.gauge("controller_runtime_max_concurrent_reconciles", "Number of workers", () -> workers, controller);
        for (Result result : Result.values()) {
            totals.put(result, meters.counter("controller_runtime_reconcile", "Reconciles by result", "controller", Meters.CONTROLLER,
                    "result", result.word));
        }
    }

    public void started() {
        active.incrementAndGet();
    }

    public void ended(Result result, Duration taken) {
        active.decrementAndGet();
        Objects.requireNonNull(totals.get(result)).increment();
        time.record(taken);
        if (result == Result.ERROR) {
            errors.increment();
        }
    }

    /** Counts one request to the API server: what (upgrade, flip, condition, status, revision) and how it ended (ok, conflict, gone, refused, failed). */
    public void write(String what, String result) {
        writes.computeIfAbsent(new Write(what, result),
                w -> meters.counter("pillion_reconcile_writes", "Writes of reconciles", "what", w.what, "result", w.result)).increment();
    }

    /** Offers how many Pods that are not updated wait for a reason, all sets together. */
    public void waiting(String reason, IntSupplier pods) {
        meters.gauge("pillion_rollout_waiting_pods", "Pods that are not updated, by the reason they wait for", pods::getAsInt, "reason",
                reason);
    }
}

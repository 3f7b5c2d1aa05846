package dev.pillion.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Follows how many sets a controller has looked at, by its own metrics. */
final class ReconcileCount {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String METRIC = "controller_runtime_reconcile_total{";

    private final int port;
    private final int wanted;
    private volatile long done;
    private volatile long first;
    private volatile long last;

    private ReconcileCount(int port, int wanted) {
        this.port = port;
        this.wanted = wanted;
    }

    /** Begins to look at the metrics on this port of the loopback, be they there yet or not; ends when the wanted number is reached. */
    static ReconcileCount follow(int port, int wanted) {
        ReconcileCount count = new ReconcileCount(port, wanted);
        Thread.ofPlatform().daemon().name("reconcile-count").start(count::run);
        return count;
    }

    private void run() {
        try (MetricSum metrics = new MetricSum(port)) {
            long end = System.nanoTime() + PATIENCE.toNanos() * 2;
            while (done < wanted && System.nanoTime() < end) {
                long sum = metrics.of(METRIC);
                long now = System.nanoTime();
                if (sum > 0) {
                    first = first == 0 ? now : first;
                    last = now;
                    done = sum;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void await() {
        Waiting.whileItMoves("all sets have been looked at", PATIENCE, wanted, () -> (int) done);
    }

    /** System.nanoTime of the first look that saw one. */
    long first() {
        return first;
    }

    /** System.nanoTime of the look that saw all. */
    long last() {
        return last;
    }
}

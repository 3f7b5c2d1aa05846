package dev.pillion.reconcile;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** Tasks under way, each on a virtual thread and a bounded number at a time. One thread starts them and takes their results in. */
final class Lanes<R> {
    private final int most;
    private final BlockingQueue<Supplier<R>> results = new LinkedBlockingQueue<>();
    private int underWay;

    /** @param most tasks at a time */
    Lanes(int most) {
        this.most = most;
    }

    boolean hasRoom() {
        return underWay < most;
    }

    /** Whether no result is to be waited for. */
    boolean isIdle() {
        return underWay == 0;
    }

    /** Starts a task, be there room or not. */
    void start(Supplier<R> task) {
        underWay++;
        Thread.ofVirtual().name("pod-writer").start(() -> results.add(outcome(task)));
    }

    private static <R> Supplier<R> outcome(Supplier<R> task) {
        try {
            R result = task.get();
            return () -> result;
        } catch (RuntimeException | Error e) {
            // Whoever waits for the result must not wait for ever.
            return () -> {
                throw e;
            };
        }
    }

    /** Waits for the next result; throws what its task threw. */
    R take() {
        try {
            Supplier<R> result = results.take();
            underWay--;
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Pods were written", e);
        }
    }
}

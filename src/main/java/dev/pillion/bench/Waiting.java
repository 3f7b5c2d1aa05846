package dev.pillion.bench;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/** Waits for other processes. */
final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(50);
    /** Looking costs the server something, and nobody waits for the answer to the millisecond. */
    private static final Duration LONG_PAUSE = Duration.ofMillis(200);

    private Waiting() {
    }

    /**
     * Polls until the condition holds. An IllegalStateException ends the wait, any other exception counts as "not yet".
     *
     * @param what the awaited state, as in "all pods are ready"
     * @throws IllegalStateException when the time is over or the thread is interrupted
     */
    static void until(String what, Duration deadline, Callable<Boolean> condition) {
        long end = System.nanoTime() + deadline.toNanos();
        String last = "";
        while (true) {
            try {
                if (condition.call()) {
                    return;
                }
                last = "";
            } catch (IllegalStateException e) {
                throw e;
            } catch (Exception e) {
                last = "; last failure: " + e;
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited " + deadline.toSeconds() + " s in vain until " + what + last);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting until " + what);
            }
        }
    }

    /**
     * Polls until a count reaches its goal.
     *
     * @throws IllegalStateException when the count has not moved for the patience
     */
    static void whileItMoves(String what, Duration patience, int goal, IntSupplier count) {
        int last = -1;
        long since = System.nanoTime();
        for (int now = count.getAsInt(); now < goal; now = count.getAsInt()) {
            if (now != last) {
                last = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > patience.toNanos()) {
                throw new IllegalStateException(
                        "waited until " + what + ", but nothing has moved for " + patience.toSeconds() + " s: " + now + " of " + goal);
            }
            LockSupport.parkNanos(LONG_PAUSE.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting until " + what);
            }
        }
    }
}

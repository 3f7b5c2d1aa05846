package dev.pillion.it;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/** The one way of the integration tests to wait for another process: poll until good, or fail with what was seen last. */
public final class Eventually {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Eventually() {
    }

    /** Waits up to 30 s until the condition holds. What: the awaited state, as in "3 pods are ready". */
    public static void until(String what, Callable<Boolean> condition) {
        until(what, DEADLINE, condition, held -> held);
    }

    public static void until(String what, Duration deadline, Callable<Boolean> condition) {
        until(what, deadline, condition, held -> held);
    }

    /** Reads up to 30 s long until the value is good, and answers it. An exception of the read counts as not good yet. */
    public static <T> T until(String what, Callable<T> read, Predicate<? super T> good) {
        return until(what, DEADLINE, read, good);
    }

    public static <T> T until(String what, Duration deadline, Callable<T> read, Predicate<? super T> good) {
        long end = System.nanoTime() + deadline.toNanos();
        Object last = "nothing";
        @Nullable
        Exception failure;
        do {
            failure = null;
            try {
                T value = read.call();
                if (good.test(value)) {
                    return value;
                }
                last = value;
            } catch (Exception e) {
                failure = e;
                last = e.toString();
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting until " + what);
            }
        } while (System.nanoTime() < end);
        throw new AssertionError("waited " + deadline.toSeconds() + " s in vain until " + what + "; last seen: " + last, failure);
    }

    /** Repeats assertions up to 30 s until they all pass; the last assertion error is the failure's cause. */
    public static void passes(String what, Runnable assertions) {
        until(what, () -> {
            try {
                assertions.run();
                return "";
            } catch (AssertionError e) {
                return String.valueOf(e.getMessage());
            }
        }, String::isEmpty);
    }
}

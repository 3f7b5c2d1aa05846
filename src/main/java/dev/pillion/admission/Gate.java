package dev.pillion.admission;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts reviews in work against a limit, over all event loops. Safe for all threads. */
public final class Gate {
    private final int limit;
    private final AtomicInteger inside = new AtomicInteger();

    public Gate(int limit) {
        this.limit = limit;
    }

    /** False: full, do not enter. After true, {@link #leave} exactly once. */
    boolean enter() {
        if (inside.incrementAndGet() <= limit) {
            return true;
        }
        inside.decrementAndGet();
        return false;
    }

    void leave() {
        inside.decrementAndGet();
    }

    /** Does not count a review while it only waits for something that needs no work of ours. */
    <T> CompletionStage<T> aside(CompletionStage<T> wait) {
        leave();
        return wait.whenComplete((_, _) -> inside.incrementAndGet());
    }

    /** Reviews in work now. */
    public int inside() {
        return inside.get();
    }
}

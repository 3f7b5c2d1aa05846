package dev.pillion.sandbox;

import java.util.List;

/** A reader's place in the changes of one store. Holds no changes of its own: a reader that falls out of the window is told so. For one thread. */
final class Watch {
    private static final int BATCH = 64;
    private final ObjectStore store;
    private final String name;
    private long after;

    /**
     * What came.
     *
     * @param caughtUp the reader has seen everything up to this revision
     */
    record Batch(List<Change> changes, long caughtUp) {
    }

    Watch(ObjectStore store, String name, long after) {
        this.store = store;
        this.name = name;
        this.after = after;
    }

    /**
     * Waits for changes; an empty batch when none came in time.
     *
     * @param delay nanoseconds to hold back each change
     * @param patience nanoseconds to wait
     */
    Batch next(long delay, long patience) throws ObjectStore.TooOld, InterruptedException {
        Batch batch = store.await(name, after, BATCH, delay, patience);
        after = batch.caughtUp();
        return batch;
    }
}

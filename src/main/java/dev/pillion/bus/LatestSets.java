package dev.pillion.bus;

import java.util.concurrent.atomic.AtomicReference;

import dev.pillion.match.SetIndex;

/**
 * The index as it was published last. The watcher puts it here before it sends the Enqueues that rest on it: the bus promises no order
 * between SetsChanged and Reconcile, and a worker must never miss the set it was woken for.
 */
public final class LatestSets {
    private final AtomicReference<SetIndex> index = new AtomicReference<>(SetIndex.EMPTY);

    public SetIndex get() {
        return index.get();
    }

    public void put(SetIndex published) {
        index.set(published);
    }
}

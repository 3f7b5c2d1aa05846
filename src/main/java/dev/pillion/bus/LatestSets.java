package dev.pillion.bus;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import dev.pillion.match.SetIndex;

/**
 * The index as it was published last. The watcher puts it here before it sends SetsChanged and the Enqueues that rest on it: the bus
 * promises no order between SetsChanged and Reconcile, and a worker must never miss the set it was woken for; nor may one event loop judge
 * a Pod by an older index than another.
 */
public final class LatestSets {
    private final AtomicReference<Optional<SetIndex>> index = new AtomicReference<>(Optional.empty());

    /** The empty index before the first one. */
    public SetIndex get() {
        return known().orElse(SetIndex.EMPTY);
    }

    /** Empty until the first lists are complete: nothing can be judged by then. */
    public Optional<SetIndex> known() {
        return index.get();
    }

    public void put(SetIndex published) {
        index.set(Optional.of(published));
    }
}

package dev.pillion.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys held for a later time, soonest first: a heap with four children per node in which every entry knows its place, so moving a key
 * to an earlier time is O(log n) and there is at most one node per key. Chosen over a timing wheel because it names the next moment
 * exactly: one timer is set for it, and an idle queue never wakes up.
 */
final class HeldKeys<K> {
    private static final int CHILDREN = 4;

    private final List<Entry<K>> heap = new ArrayList<>();
    private long lastNumber;

    int size() {
        return heap.size();
    }

    Optional<Entry<K>> soonest() {
        return heap.isEmpty() ? Optional.empty() : Optional.of(heap.getFirst());
    }

    void add(Entry<K> entry) {
        entry.heldNumber = ++lastNumber;
        heap.add(entry);
        entry.heapIndex = heap.size() - 1;
        up(entry);
    }

    /** To be called after readyAt of a held entry became earlier. */
    void moved(Entry<K> entry) {
        entry.heldNumber = ++lastNumber;
        up(entry);
    }

    void remove(Entry<K> entry) {
        int hole = entry.heapIndex;
        Entry<K> last = heap.removeLast();
        entry.heapIndex = Entry.NOT_HELD;
        if (last != entry) {
            put(hole, last);
            up(last);
            down(last);
        }
    }

    void clear() {
        heap.forEach(e -> e.heapIndex = Entry.NOT_HELD);
        heap.clear();
    }

    private void up(Entry<K> entry) {
        int index = entry.heapIndex;
        while (index > 0) {
            int parent = (index - 1) / CHILDREN;
            if (!isSooner(entry, heap.get(parent))) {
                break;
            }
            put(index, heap.get(parent));
            index = parent;
        }
        put(index, entry);
    }

    private void down(Entry<K> entry) {
        int index = entry.heapIndex;
        while (true) {
            int best = -1;
            int first = index * CHILDREN + 1;
            for (int child = first; child < Math.min(first + CHILDREN, heap.size()); child++) {
                if (isSooner(heap.get(child), best < 0 ? entry : heap.get(best))) {
                    best = child;
                }
            }
            if (best < 0) {
                break;
            }
            put(index, heap.get(best));
            index = best;
        }
        put(index, entry);
    }

    private void put(int index, Entry<K> entry) {
        heap.set(index, entry);
        entry.heapIndex = index;
    }

    /** Monotonic times may wrap around, so only their difference is compared. Equal times: first held, first out. */
    private static boolean isSooner(Entry<?> a, Entry<?> b) {
        long difference = a.readyAt - b.readyAt;
        return difference < 0 || (difference == 0 && a.heldNumber < b.heldNumber);
    }
}

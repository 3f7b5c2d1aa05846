package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/**
 * The objects, in memory, with one revision counter for all stores and a window of past changes per store. Usable without HTTP, safe for all threads.
 * A store is named like its type ("pods", "sidecarsets.apps.kruise.io"). All writes are compare-and-set; rules of the API live above.
 */
final class ObjectStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Shelf> shelves = new HashMap<>();
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
    private final int historyPerStore;
    private final LongSupplier nanos;
    private long revision = 1;

    private final class Shelf {
        private final NavigableMap<String, Stored> objects = new TreeMap<>();
        private final History history = new History(historyPerStore);
        private final Condition changed = lock.newCondition();
    }

    /**
     * A consistent list.
     *
     * @param revision the moment it shows
     * @param more whether objects were left out behind the last one because of the limit
     * @param remaining how many were left out
     */
    record Listing(long revision, List<Stored> objects, boolean more, long remaining) {
    }

    /** A read of a revision that the window no longer reaches. */
    static final class TooOld extends Exception {
        private static final long serialVersionUID = 1L;

        TooOld() {
            super("revision is older than the window of changes");
        }
    }

    /** @param nanos the monotonic clock that stamps changes, such as System::nanoTime */
    ObjectStore(int historyPerStore, LongSupplier nanos) {
        this.historyPerStore = historyPerStore;
        this.nanos = nanos;
    }

    /** Called after each commit, on the writer's thread and outside of the lock, before the writer gets its answer. */
    void onCommit(Consumer<Change> listener) {
        listeners.add(listener);
    }

    /** The revision of the newest commit in any store. */
    long revision() {
        return locked(() -> revision);
    }

    Optional<Stored> get(String store, String key) {
        return locked(() -> Optional.ofNullable(shelf(store).objects.get(key)));
    }

    /** Everything whose key starts with the prefix: "" or "namespace/". */
    Listing list(String store, String prefix) {
        return locked(() -> new Listing(revision, List.copyOf(range(shelf(store), prefix, "").values()), false, 0));
    }

    int count(String store) {
        return locked(() -> shelf(store).objects.size());
    }

    /**
     * Lists as of a past revision, one page at a time: the present undone by the changes since.
     *
     * @param at 0 for now
     * @param after the last key of the page before, or ""
     * @param limit 0 for no limit
     */
    Listing page(String store, String prefix, long at, String after, int limit) throws TooOld {
        lock.lock();
        try {
            Shelf shelf = shelf(store);
            long moment = at == 0 || at > revision ? revision : at;
            if (!shelf.history.reaches(moment)) {
                throw new TooOld();
            }
            NavigableMap<String, Stored> objects = range(shelf, prefix, after);
            List<Change> undo = shelf.history.after(moment, Integer.MAX_VALUE);
            if (!undo.isEmpty()) {
                objects = new TreeMap<>(objects);
                for (Change change : undo.reversed()) {
                    String key = change.object().key();
                    if (!key.startsWith(prefix) || key.compareTo(after) <= 0) {
                        continue;
                    }
                    if (change.before() == null) {
                        objects.remove(key);
                    } else {
                        objects.put(key, change.before());
                    }
                }
            }
            if (limit <= 0 || objects.size() <= limit) {
                return new Listing(moment, List.copyOf(objects.values()), false, 0);
            }
            List<Stored> page = new ArrayList<>(limit);
            for (Stored object : objects.values()) {
                if (page.size() == limit) {
                    break;
                }
                page.add(object);
            }
            return new Listing(moment, Collections.unmodifiableList(page), true, objects.size() - (long) limit);
        } finally {
            lock.unlock();
        }
    }

    /** Stores a new object; empty when the key is taken. Sets the resourceVersion in the given tree. */
    Optional<Stored> create(String store, String key, ObjectNode object) {
        return commit(store, key, null, object, Change.Kind.ADDED);
    }

    /** Replaces the expected state; empty when the object has moved on or is gone. Sets the resourceVersion in the given tree. */
    Optional<Stored> update(String store, Stored expected, ObjectNode object) {
        return commit(store, expected.key(), expected, object, Change.Kind.MODIFIED);
    }

    /** Removes the expected state; empty when the object has moved on or is gone. The tree is what the DELETED event shows. */
    Optional<Stored> delete(String store, Stored expected, ObjectNode last) {
        return commit(store, expected.key(), expected, last, Change.Kind.DELETED);
    }

    /** Starts a watch behind the revision; the first `next` tells when that is too old. */
    Watch watch(String store, long after) {
        return new Watch(this, store, after);
    }

    /** Forgets the past of a store, as a compaction does. */
    void forgetHistory(String store) {
        locked(() -> {
            Shelf shelf = shelf(store);
            shelf.history.forget(revision);
            shelf.changed.signalAll();
            return true;
        });
    }

    /** Waits until there are changes behind the revision that are at least `delay` old, or the time is up. */
    Watch.Batch await(String store, long after, int most, long delay, long patience) throws TooOld, InterruptedException {
        lock.lockInterruptibly();
        try {
            Shelf shelf = shelf(store);
            long left = patience;
            while (true) {
                if (!shelf.history.reaches(after)) {
                    throw new TooOld();
                }
                List<Change> changes = shelf.history.after(after, most);
                long now = nanos.getAsLong();
                int ready = 0;
                while (ready < changes.size() && now - changes.get(ready).committed() >= delay) {
                    ready++;
                }
                if (ready > 0) {
                    List<Change> batch = List.copyOf(changes.subList(0, ready));
                    return new Watch.Batch(batch, batch.getLast().revision());
                }
                if (left <= 0) {
                    return new Watch.Batch(List.of(), changes.isEmpty() ? Math.max(revision, after) : after);
                }
                long pause = changes.isEmpty() ? left : Math.min(left, delay - (now - changes.getFirst().committed()));
                left -= pause - Math.max(0, shelf.changed.awaitNanos(pause));
            }
        } finally {
            lock.unlock();
        }
    }

    private Optional<Stored> commit(String store, String key, @Nullable Stored expected, ObjectNode object, Change.Kind kind) {
        Change change;
        lock.lock();
        try {
            Shelf shelf = shelf(store);
            Stored there = shelf.objects.get(key);
            if (expected == null ? there != null : there == null || there.revision() != expected.revision()) {
                return Optional.empty();
            }
            Stored now = Stored.of(key, revision + 1, object);
            revision++;
            if (kind == Change.Kind.DELETED) {
                shelf.objects.remove(key);
            } else {
                shelf.objects.put(key, now);
            }
            change = new Change(kind, store, now, expected, nanos.getAsLong());
            shelf.history.add(change);
            shelf.changed.signalAll();
        } finally {
            lock.unlock();
        }
        listeners.forEach(listener -> listener.accept(change));
        return Optional.of(change.object());
    }

    private Shelf shelf(String store) {
        return shelves.computeIfAbsent(store, _ -> new Shelf());
    }

    private static NavigableMap<String, Stored> range(Shelf shelf, String prefix, String after) {
        if (prefix.isEmpty()) {
            return after.isEmpty() ? shelf.objects : shelf.objects.tailMap(after, false);
        }
        // '0' follows '/': the range ends where another namespace begins.
        String end = prefix.substring(0, prefix.length() - 1) + '0';
        return after.isEmpty() ? shelf.objects.subMap(prefix, true, end, false) : shelf.objects.subMap(after, false, end, false);
    }

    private <T> T locked(java.util.function.Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}

package dev.pillion.queue;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.pillion.bus.BusMessage.Priority;

/** Everything the queue knows of one key. It may be waiting, in work and held all at once (events.md 4.8). */
final class Entry<K> {
    /** ticket while nobody works on the key. */
    static final long IDLE = 0;
    /** heapIndex while the key is not held. */
    static final int NOT_HELD = -1;

    final K key;

    /** Set while the key is in a line, or dirty: it will be lined up again when its worker is done. */
    boolean wanted;
    Priority band = Priority.LOW;
    long wantedSince;
    @Nullable
    Line<K> line;
    @Nullable
    Entry<K> previous;
    @Nullable
    Entry<K> next;

    long ticket = IDLE;
    Priority takenBand = Priority.LOW;
    long takenAt;

    long readyAt;
    long heldNumber;
    Priority heldBand = Priority.LOW;
    int heapIndex = NOT_HELD;

    Entry(K key) {
        this.key = key;
    }

    boolean isInWork() {
        return ticket != IDLE;
    }

    boolean isHeld() {
        return heapIndex != NOT_HELD;
    }

    boolean isForgettable() {
        return !wanted && !isInWork() && !isHeld();
    }

    static Priority higher(Priority a, Priority b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** A first in, first out line from whose middle a key can leave in O(1), when a later add raises its band. */
    static final class Line<K> {
        private @Nullable Entry<K> head;
        private @Nullable Entry<K> tail;
        private int size;

        void append(Entry<K> entry) {
            entry.line = this;
            entry.previous = tail;
            entry.next = null;
            if (tail == null) {
                head = entry;
            } else {
                tail.next = entry;
            }
            tail = entry;
            size++;
        }

        void remove(Entry<K> entry) {
            Entry<K> before = entry.previous;
            Entry<K> after = entry.next;
            if (before == null) {
                head = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                tail = before;
            } else {
                after.previous = before;
            }
            entry.line = null;
            entry.previous = null;
            entry.next = null;
            size--;
        }

        Optional<Entry<K>> first() {
            return Optional.ofNullable(head);
        }

        int size() {
            return size;
        }
    }
}

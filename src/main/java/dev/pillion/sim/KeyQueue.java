package dev.pillion.sim;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Keys to look at again, each once, the earliest time of several counting. */
final class KeyQueue<K> {
    private record Due<K>(long at, K key) implements Comparable<Due<K>> {
        @Override
        public int compareTo(Due<K> other) {
            return Long.compare(at, other.at);
        }
    }

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Due<K>> queue = new PriorityQueue<>();
    private final Map<K, Due<K>> current = new HashMap<>();
    private boolean closed;

    KeyQueue(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void add(K key, Duration after) {
        Due<K> due = new Due<>(nanos.getAsLong() + after.toNanos(), key);
        lock.lock();
        try {
            Due<K> known = current.get(key);
            if (known == null || due.at() < known.at()) {
                current.put(key, due);
                queue.add(due);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next key; empty once closed. */
    Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                Due<K> next = queue.peek();
                if (next == null) {
                    changed.await();
                } else if (next.at() > nanos.getAsLong()) {
                    boolean _ = changed.await(next.at() - nanos.getAsLong(), TimeUnit.NANOSECONDS);
                } else {
                    queue.poll();
                    if (current.remove(next.key(), next)) {
                        return Optional.of(next.key());
                    }
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

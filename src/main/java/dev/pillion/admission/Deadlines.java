package dev.pillion.admission;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Deadlines that are all the same time away, so that the first one set is the first one due: one timer serves all of them, where one for
 * each would be set and cancelled with every request. For one event loop.
 */
final class Deadlines {
    /** Starts a timer that cannot be stopped. */
    interface Timer {
        void start(Duration time, Runnable task);
    }

    /** One deadline. */
    private static final class Entry implements Runnable {
        private final long due;
        private Optional<Runnable> task;

        private Entry(long due, Runnable task) {
            this.due = due;
            this.task = Optional.of(task);
        }

        /** Cancels it. */
        @Override
        public void run() {
            task = Optional.empty();
        }
    }

    private final Duration time;
    private final LongSupplier nanos;
    private final Timer timer;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private boolean running;

    /**
     * None yet.
     *
     * @param time from setting a deadline until it is due
     * @param nanos a monotonic clock
     */
    Deadlines(Duration time, LongSupplier nanos, Timer timer) {
        this.time = time;
        this.nanos = nanos;
        this.timer = timer;
    }

    /** Runs the task when the time is over; the result cancels it, as often as you like. */
    Runnable set(Runnable task) {
        forgetCancelled();
        Entry entry = new Entry(nanos.getAsLong() + time.toNanos(), task);
        entries.add(entry);
        if (!running) {
            start(time);
        }
        return entry;
    }

    /** Most requests are answered in their order, so hardly any cancelled one stays behind another. */
    private void forgetCancelled() {
        while (!entries.isEmpty() && entries.getFirst().task.isEmpty()) {
            entries.removeFirst();
        }
    }

    private void start(Duration wait) {
        running = true;
        timer.start(wait, this::due);
    }

    private void due() {
        running = false;
        long now = nanos.getAsLong();
        try {
            for (forgetCancelled(); !entries.isEmpty() && entries.getFirst().due - now <= 0; forgetCancelled()) {
                entries.removeFirst().task.ifPresent(Runnable::run);
            }
        } finally {
            if (!entries.isEmpty() && !running) {
                start(Duration.ofNanos(Math.max(1, entries.getFirst().due - now)));
            }
        }
    }
}

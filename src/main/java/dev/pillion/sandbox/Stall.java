package dev.pillion.sandbox;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * The pause of a store that hangs. Requests that come meanwhile wait. Afterwards writes are carried out one by one in the order of their
 * arrival, as a real store reads them from its connection, whether their clients still wait or not. Safe for all threads.
 */
final class Stall {
    /** Whether a request keeps its place in the row. */
    enum Order {
        ARRIVAL, ANY
    }

    private record Held(Order order, Runnable request) {
    }

    private final Executor threads;
    private final Queue<Held> held = new ArrayDeque<>();
    private boolean stalled;

    Stall(Executor threads) {
        this.threads = threads;
    }

    /** Carries the request out on a thread of its own, now or later. */
    void run(Order order, Runnable request) {
        if (!isHeld(new Held(order, request))) {
            threads.execute(request);
        }
    }

    private synchronized boolean isHeld(Held request) {
        return stalled && held.add(request);
    }

    synchronized void begin() {
        stalled = true;
    }

    void end() {
        threads.execute(() -> {
            for (Optional<Held> next = next(); next.isPresent(); next = next()) {
                switch (next.get().order) {
                    case ARRIVAL -> next.get().request.run();
                    case ANY -> threads.execute(next.get().request);
                }
            }
        });
    }

    /** The stall is over once nobody waits any more. */
    private synchronized Optional<Held> next() {
        stalled = !held.isEmpty();
        return Optional.ofNullable(held.poll());
    }
}

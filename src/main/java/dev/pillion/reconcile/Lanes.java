package dev.pillion.reconcile;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs tasks on a bounded number of virtual threads, in the order given; results are taken in by the caller's thread one by one. */
final class Lanes {
    private final int most;

    /** @param most tasks at a time */
    Lanes(int most) {
        this.most = most;
    }

    /** Returns when all results are taken in. task must not throw. */
    <T, R> void run(List<T> inputs, Function<T, R> task, Consumer<R> takeIn) {
        if (inputs.size() <= 1 || most == 1) {
            inputs.forEach(input -> takeIn.accept(task.apply(input)));
            return;
        }
        BlockingQueue<R> results = new LinkedBlockingQueue<>();
        Feed<T> feed = new Feed<>(inputs);
        for (int i = 0; i < Math.min(most, inputs.size()); i++) {
            Thread.ofVirtual().name("pod-writer-" + i).start(() -> feed.forEach(input -> results.add(task.apply(input))));
        }
        for (int i = 0; i < inputs.size(); i++) {
            takeIn.accept(take(results));
        }
    }

    private static <R> R take(BlockingQueue<R> results) {
        try {
            return results.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Pods were written", e);
        }
    }

    /** A list that several threads work off. */
    private static final class Feed<T> {
        private final Iterator<T> rest;

        Feed(List<T> inputs) {
            this.rest = inputs.iterator();
        }

        void forEach(Consumer<T> lane) {
            for (List<T> one = next(); !one.isEmpty(); one = next()) {
                lane.accept(one.getFirst());
            }
        }

        private synchronized List<T> next() {
            return rest.hasNext() ? List.of(rest.next()) : List.of();
        }
    }
}

package dev.pillion.bench;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Works a list off with a fixed number of virtual threads. */
final class InParallel {
    private InParallel() {
    }

    /** Returns when all is done; throws the first failure then, and leaves out what had not begun when it happened. */
    static <T> void run(List<T> inputs, int lanes, Consumer<T> work) {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(lanes);
        for (int i = 0; i < lanes; i++) {
            Thread.ofVirtual().name("bench-" + i).start(() -> {
                try {
                    for (int at = next.getAndIncrement(); at < inputs.size() && failure.get() == null; at = next.getAndIncrement()) {
                        work.accept(inputs.get(at));
                    }
                } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                } finally {
                    ended.countDown();
                }
            });
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        RuntimeException first = failure.get();
        if (first != null) {
            throw first;
        }
    }
}

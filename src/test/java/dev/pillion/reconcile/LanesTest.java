package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class LanesTest {
    @Test
    void runsAsManyAtATimeAsAllowedAndTakesAllResultsInOnOneThread() {
        List<Integer> inputs = IntStream.range(0, 100).boxed().toList();
        CountDownLatch four = new CountDownLatch(4);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> results = new ArrayList<>();
        Set<Thread> takers = ConcurrentHashMap.newKeySet();

        new Lanes(4).run(inputs, input -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            four.countDown();
            awaitQuietly(four);
            running.decrementAndGet();
            return input * 2;
        }, result -> {
            takers.add(Thread.currentThread());
            results.add(result);
        });

        assertThat(most).hasValue(4);
        assertThat(results).containsExactlyInAnyOrderElementsOf(inputs.stream().map(i -> i * 2).toList());
        assertThat(takers).containsExactly(Thread.currentThread());
    }

    @Test
    void oneLaneKeepsTheOrder() {
        List<Integer> results = new ArrayList<>();
        new Lanes(1).run(List.of(3, 1, 2), input -> input, results::add);

        assertThat(results).containsExactly(3, 1, 2);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class LanesTest {
    @Test
    void runsAsManyAtATimeAsThereIsRoomAndBringsAllResults() {
        List<Integer> inputs = IntStream.range(0, 100).boxed().toList();
        CountDownLatch four = new CountDownLatch(4);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> results = new ArrayList<>();

        Lanes<Integer> lanes = new Lanes<>(4);
        Iterator<Integer> rest = inputs.iterator();
        while (rest.hasNext() || !lanes.isIdle()) {
            while (rest.hasNext() && lanes.hasRoom()) {
                int input = rest.next();
                lanes.start(() -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    four.countDown();
                    awaitQuietly(four);
                    running.decrementAndGet();
                    return input * 2;
                });
            }
            results.add(lanes.take());
        }

        assertThat(most).hasValue(4);
        assertThat(results).containsExactlyInAnyOrderElementsOf(inputs.stream().map(i -> i * 2).toList());
    }

    /** Also errors: nobody may wait for ever for a result that does not come. */
    @Test
    void bringsWhatATaskThrew() {
        Lanes<Integer> lanes = new Lanes<>(1);
        lanes.start(() -> {
            throw new StackOverflowError("odd input");
        });

        assertThat(lanes.hasRoom()).isFalse();
        assertThatThrownBy(lanes::take).isInstanceOf(StackOverflowError.class);
        assertThat(lanes.isIdle()).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.pillion.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

class KeyQueueTest {
    private final AtomicLong nanos = new AtomicLong();
    private final KeyQueue<String> queue = new KeyQueue<>(nanos::get);

    @Test
    void aKeyWaitsOnceAndTheEarliestTimeCounts() throws InterruptedException {
        queue.add("late", Duration.ofSeconds(9));
        queue.add("a", Duration.ofSeconds(5));
        queue.add("a", Duration.ofSeconds(1));
        queue.add("a", Duration.ofSeconds(7));
        nanos.set(Duration.ofSeconds(10).toNanos());

        assertThat(queue.take()).contains("a");
        assertThat(queue.take()).contains("late");
        queue.close();
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void aKeyTakenMayComeAgain() throws InterruptedException {
        queue.add("a", Duration.ZERO);
        assertThat(queue.take()).contains("a");
        queue.add("a", Duration.ZERO);
        assertThat(queue.take()).contains("a");
    }
}

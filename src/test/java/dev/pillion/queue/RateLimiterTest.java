package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.pillion.api.SetKey;
import dev.pillion.queue.RateLimiter.Limits;

class RateLimiterTest {
    private static final SetKey A = new SetKey("a");
    private static final SetKey B = new SetKey("b");
    /** Near the end of the range, so that a wrap-around of the monotonic clock would show. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - Duration.ofMinutes(1).toNanos());
    private final RateLimiter<SetKey> limiter = new RateLimiter<>(Limits.DEFAULT, clock::get);

    @Test
    void doublesTheBackOffUpToItsMaximum() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            clock.addAndGet(Duration.ofHours(1).toNanos());
            waits.add(limiter.next(A).toMillis());
        }

        assertThat(waits.subList(0, 10)).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 1280L, 2560L);
        assertThat(waits.get(17)).isEqualTo(655_360L);
        assertThat(waits.subList(18, 70)).as("from the 19th failure on").allMatch(w -> w == 1_000_000L);
    }

    @Test
    void forgetStartsTheBackOffAnewButRefundsNoToken() {
        for (int i = 0; i < 100; i++) {
            limiter.next(A);
            limiter.forget(A);
        }

        assertThat(limiter.failures(A)).isZero();
        assertThat(limiter.next(A)).as("the bucket is empty").isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void allKeysShareTheBucketAndReserveAhead() {
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.next(new SetKey("burst-" + i))).isEqualTo(Duration.ofMillis(5));
        }

        assertThat(limiter.next(A)).isEqualTo(Duration.ofMillis(100));
        assertThat(limiter.next(B)).isEqualTo(Duration.ofMillis(200));
        clock.addAndGet(Duration.ofMillis(250).toNanos());
        assertThat(limiter.next(new SetKey("c"))).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void aTokenIsTakenEvenWhenTheBackOffIsLonger() {
        for (int i = 0; i < 10; i++) {
            limiter.next(A);
        }
        for (int i = 0; i < 90; i++) {
            limiter.next(new SetKey("burst-" + i));
        }

        assertThat(limiter.next(B)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void theBucketNeverHoldsMoreThanItsBurst() {
        clock.addAndGet(Duration.ofDays(30).toNanos());
        for (int i = 0; i < 100; i++) {
            limiter.next(new SetKey("burst-" + i));
        }

        assertThat(limiter.next(A)).isEqualTo(Duration.ofMillis(100));
    }
}

package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

/** Deadlines by a clock and a timer that the test moves. */
final class DeadlinesTest {
    private static final Duration TIME = Duration.ofSeconds(8);

    /** A timer that has been started. */
    private record Started(long due, Runnable task) {
    }

    private final List<Started> timers = new ArrayList<>();
    private final List<String> over = new ArrayList<>();
    /** As far from zero as a monotonic clock may be: differences count, also when it overflows. */
    private long now = Long.MAX_VALUE - Duration.ofSeconds(10).toNanos();
    private int started;
    private final Deadlines deadlines = new Deadlines(TIME, () -> now, (time, task) -> {
        started++;
        timers.add(new Started(now + time.toNanos(), task));
    });

    private void pass(Duration time) {
        long end = now + time.toNanos();
        while (!timers.isEmpty() && timers.getFirst().due - end <= 0) {
            Started first = timers.removeFirst();
            now = first.due;
            first.task.run();
        }
        now = end;
    }

    @Test
    void runsEachWhenItsTimeIsOver() {
        Runnable _ = deadlines.set(() -> over.add("a"));
        pass(Duration.ofSeconds(5));
        Runnable _ = deadlines.set(() -> over.add("b"));
        pass(Duration.ofMillis(2999));
        assertThat(over).isEmpty();
        pass(Duration.ofMillis(1));
        assertThat(over).containsExactly("a");
        pass(Duration.ofMillis(4999));
        assertThat(over).containsExactly("a");
        pass(Duration.ofMillis(1));
        assertThat(over).containsExactly("a", "b");
    }

    @Test
    void runsNoCancelledOne() {
        Runnable first = deadlines.set(() -> over.add("a"));
        Runnable second = deadlines.set(() -> over.add("b"));
        Runnable third = deadlines.set(() -> over.add("c"));
        second.run();
        pass(TIME);
        assertThat(over).containsExactly("a", "c");
        first.run();
        third.run();
        second.run();
        pass(TIME);
        assertThat(over).containsExactly("a", "c");
    }

    @Test
    void needsOneTimerAtATime() {
        for (int i = 0; i < 100; i++) {
            Runnable cancel = deadlines.set(() -> over.add("never"));
            pass(Duration.ofMillis(100));
            cancel.run();
        }
        assertThat(over).isEmpty();
        assertThat(started).isLessThanOrEqualTo(2);
    }

    @Test
    void restsWhenNothingIsLeft() {
        deadlines.set(() -> over.add("a")).run();
        pass(TIME);
        assertThat(timers).isEmpty();
        Runnable _ = deadlines.set(() -> over.add("b"));
        pass(TIME);
        assertThat(over).containsExactly("b");
    }

    @Test
    void mayBeSetByOneThatIsDue() {
        Runnable _ = deadlines.set(() -> {
            over.add("a");
            Runnable _ = deadlines.set(() -> over.add("b"));
        });
        pass(TIME);
        assertThat(over).containsExactly("a");
        pass(TIME);
        assertThat(over).containsExactly("a", "b");
    }

    @Test
    void goesOnAfterOneThatFails() {
        Runnable _ = deadlines.set(() -> {
            throw new IllegalStateException("wanted");
        });
        Runnable _ = deadlines.set(() -> over.add("b"));
        assertThatThrownBy(() -> pass(TIME)).hasMessage("wanted");
        pass(Duration.ofSeconds(1));
        assertThat(over).containsExactly("b");
    }
}

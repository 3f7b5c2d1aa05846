package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.Cause;
import dev.pillion.bus.BusMessage.Done;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.bus.Slots;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.QueueMeters;
import dev.pillion.queue.Dispatcher.Assignment;

class DispatcherTest {
    private final AtomicLong clock = new AtomicLong();
    private final Meters meters = new Meters();
    private final Dispatcher dispatcher = new Dispatcher(
            new WorkQueue<>(clock::get, new RateLimiter<>(RateLimiter.Limits.DEFAULT, clock::get)), new QueueMeters(meters, clock::get),
            Duration.ofSeconds(60), new SlotDrains(new Slots(2)));

    @BeforeEach
    void fill() {
        for (String name : new String[]{"a", "b", "c"}) {
            dispatcher.enqueue(new Enqueue(new SetKey(name), Duration.ZERO, Priority.HIGH, new Cause("test")));
        }
    }

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void aBusyWorkerGetsNothing() {
        dispatcher.ready(0);
        dispatcher.ready(0);
        Assignment first = next();

        dispatcher.ready(0);
        assertThat(dispatcher.next()).isEmpty();
        assertThat(dispatcher.nextDue()).as("no need to wake up while nobody is idle").isEmpty();
        done(first);
        assertThat(next().message().set().name()).isEqualTo("b");
    }

    @Test
    void aDeadWorkersKeyGoesToAnotherOne() {
        dispatcher.ready(0);
        Assignment lost = next();
        dispatcher.lost(lost);
        dispatcher.ready(1);

        assertThat(dispatcher.deadWorkers()).containsExactly(0);
        assertThat(next().message().set().name()).isEqualTo("b");
        dispatcher.ready(0);
        assertThat(dispatcher.deadWorkers()).as("it is back").isEmpty();
        done(next());
        assertThat(next().message().set().name()).isEqualTo("a");
        assertThat(dispatcher.done(new Done(new SetKey("a"), lost.message().ticket(), new Outcome.Settled()))).isFalse();
        assertThat(meters.scrape()).contains("pillion_queue_stale_tickets_total 1.0");
    }

    @Test
    void aWorkerThatLeavesFreesItsKeyAndGetsNoOther() {
        dispatcher.ready(0);
        next();
        dispatcher.gone(0);

        assertThat(dispatcher.isDrained()).isTrue();
        assertThat(dispatcher.next()).isEmpty();
        assertThat(dispatcher.deadWorkers()).isEmpty();
    }

    @Test
    void aStuckKeyIsToldOnce() {
        dispatcher.ready(0);
        Assignment slow = next();
        clock.addAndGet(Duration.ofSeconds(61).toNanos());

        assertThat(dispatcher.newlyStuck()).extracting(WorkQueue.Stuck::key).containsExactly(new SetKey("a"));
        assertThat(dispatcher.newlyStuck()).isEmpty();
        assertThat(dispatcher.state().stuck()).isEqualTo(1);
        done(slow);
        assertThat(dispatcher.state()).isEqualTo(new QueueMeters.State(2, 0, 3, 0, 0, 0));
    }

    private Assignment next() {
        return dispatcher.next().orElseThrow();
    }

    private void done(Assignment a) {
        assertThat(dispatcher.done(new Done(a.message().set(), a.message().ticket(), new Outcome.Settled()))).isTrue();
    }
}

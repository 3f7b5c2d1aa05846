package dev.pillion.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.pillion.kube.LeaseSpec;
import dev.pillion.shard.Order.Purpose;
import dev.pillion.shard.Turn.Why;

/** Single steps of the contract, each with the times of the default settings. */
class SlotLeaseTest {
    private static final LeaseTimes TIMES = new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofSeconds(10));

    private final LeaseStore store = new LeaseStore();
    private long now = TimeUnit.HOURS.toNanos(-1);
    private final Contender a = new Contender("a");
    private final Contender b = new Contender("b");

    /** One process; all share the clock. */
    private final class Contender {
        private final String identity;
        private final SlotLease lease;
        private final List<Turn> turns = new ArrayList<>();

        Contender(String identity) {
            this.identity = identity;
            this.lease = new SlotLease("pillion-slot-0", identity, TIMES, new Stamps(() -> Instant.EPOCH));
        }

        Contender join() {
            lease.contend(OptionalLong.empty(), now);
            return this;
        }

        Contender found() {
            lease.contend(OptionalLong.of(now), now);
            return this;
        }

        /** Works off what is due now, each request answered at once. */
        Contender run() {
            for (int i = 0; i < 20; i++) {
                lease.tick(now).ifPresent(turns::add);
                if (!(lease.next(now) instanceof Order.Request request)) {
                    return this;
                }
                answer(request, store.carryOut(request));
            }
            throw new AssertionError(identity + " never rests: " + lease.state());
        }

        Order.Request request() {
            lease.tick(now).ifPresent(turns::add);
            return (Order.Request) lease.next(now);
        }

        void answer(Order.Request request, Answer answer) {
            lease.take(request, answer, now, now).ifPresent(turns::add);
        }

        void stepsOfASecond(int seconds) {
            for (int i = 0; i < seconds; i++) {
                pass(Duration.ofSeconds(1));
                run();
            }
        }

        Turn last() {
            return turns.getLast();
        }

        boolean owns() {
            return lease.state() instanceof SlotState.Holding;
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private long in(Duration time) {
        return now + time.toNanos();
    }

    private String holder() {
        return store.stored().orElseThrow().spec().holder();
    }

    @Test
    void theFounderBeginsAtOnce() {
        long founded = now;
        a.found().run();

        assertThat(a.turns).containsExactly(new Turn.Gained(1, in(TIMES.deadline()), founded));
        assertThat(store.stored().orElseThrow().spec())
                .isEqualTo(
                        new LeaseSpec("a", Optional.of(TIMES.duration()), "1970-01-01T00:00:00.000001Z", "1970-01-01T00:00:00.000001Z", 0,
                                java.util.Map.of()));
    }

    @Test
    void whoJoinsWaitsForAMissingLeaseAsForAHeldOne() {
        a.join().run();
        a.stepsOfASecond(14);
        assertThat(holder()).as("an empty Lease is put in its place").isEmpty();

        a.stepsOfASecond(1);
        assertThat(a.last()).isEqualTo(new Turn.Gained(1, in(TIMES.deadline()), now));
    }

    @Test
    void renewsEveryFiveSecondsAndEachTimeDiffersFromTheLast() {
        a.found().run();
        LeaseSpec before = store.stored().orElseThrow().spec();
        a.stepsOfASecond(4);
        assertThat(store.stored().orElseThrow().spec()).isEqualTo(before);

        a.stepsOfASecond(1);
        assertThat(a.last()).isEqualTo(new Turn.Extended(1, in(TIMES.deadline())));
        assertThat(store.stored().orElseThrow().spec().acquired()).isEqualTo(before.acquired());
        assertThat(store.stored().orElseThrow().spec().renewed()).isGreaterThan(before.renewed());
    }

    @Test
    void theDeadlineCountsFromWhenTheRenewalWasSent() {
        a.found().run();
        pass(Duration.ofSeconds(5));
        Order.Request renewal = a.request();
        Answer answer = store.carryOut(renewal);
        long sent = now;
        pass(Duration.ofSeconds(3));

        a.lease.take(renewal, answer, sent, now).ifPresent(a.turns::add);

        assertThat(a.last()).isEqualTo(new Turn.Extended(1, sent + TIMES.deadline().toNanos()));
    }

    @Test
    void aRenewalThatIsAnsweredAfterTheDeadlineEndsTheTermAllTheSame() {
        a.found().run();
        pass(Duration.ofSeconds(5));
        Order.Request renewal = a.request();
        Answer answer = store.carryOut(renewal);
        long sent = now;
        pass(Duration.ofSeconds(5));

        a.lease.take(renewal, answer, sent, now).ifPresent(a.turns::add);

        assertThat(a.last()).isEqualTo(new Turn.Ended(1, Why.EXPIRED));
        a.run();
        assertThat(a.owns()).as("not before its work is done").isFalse();
        a.lease.drained(now);
        a.run();
        assertThat(a.last()).as("nobody came between: a new term at once").isEqualTo(new Turn.Gained(2, in(TIMES.deadline()), now));
    }

    @Test
    void withoutRenewalTheTermEndsEvenIfReadsWork() {
        a.found().run();
        pass(Duration.ofSeconds(5));
        for (int i = 0; i < 5; i++) {
            Order.Request renewal = a.request();
            assertThat(renewal).isInstanceOf(Order.Change.class);
            a.answer(renewal, new Answer.Unknown("500"));
            assertThat(a.owns()).isTrue();
            pass(Duration.ofSeconds(1));
        }

        a.run();
        assertThat(a.last()).isEqualTo(new Turn.Ended(1, Why.EXPIRED));
    }

    @Test
    void aRivalWaitsUntilTheRecordStoodStillForItsDuration() {
        a.found().run();
        b.join().run();
        for (int second = 1; second <= 5; second++) {
            pass(Duration.ofSeconds(1));
            b.run();
        }
        a.run();
        b.stepsOfASecond(1);
        long seen = now;
        b.stepsOfASecond(14);
        assertThat(b.owns()).isFalse();
        assertThat(now - seen).isEqualTo(Duration.ofSeconds(14).toNanos());

        b.stepsOfASecond(1);
        assertThat(b.last()).isEqualTo(new Turn.Gained(1, in(TIMES.deadline()), now));
        assertThat(store.stored().orElseThrow().spec().transitions()).isEqualTo(1);
    }

    @Test
    void aRenewalWhileTheRivalTakesWins() {
        a.found().run();
        b.join().run();
        for (int second = 1; second <= 14; second++) {
            pass(Duration.ofSeconds(1));
            b.run();
        }
        pass(Duration.ofSeconds(1));
        Order.Request take = b.request();
        assertThat(take).isInstanceOf(Order.Change.class);
        a.run();
        assertThat(a.last()).as("too late for this term").isEqualTo(new Turn.Ended(1, Why.EXPIRED));
        a.lease.drained(now);
        a.run();
        assertThat(a.last()).isInstanceOf(Turn.Gained.class);

        b.answer(take, store.carryOut(take));
        b.run();

        assertThat(b.owns()).isFalse();
        assertThat(holder()).isEqualTo("a");
    }

    @Test
    void editsThatDoNotTouchTheRecordDoNotProlongIt() {
        a.found().run();
        b.join().run();
        for (int second = 1; second <= 15; second++) {
            pass(Duration.ofSeconds(1));
            store.edit(spec -> spec);
            b.run();
        }

        assertThat(b.owns()).isTrue();
    }

    @Test
    void whatIsGivenUpIsTakenAtOnce() {
        a.found().run();
        b.join().run();
        a.lease.standAside().ifPresent(a.turns::add);
        assertThat(a.last()).isEqualTo(new Turn.Ended(1, Why.GIVEN));
        a.stepsOfASecond(6);
        assertThat(holder()).as("kept, and renewed, until the work is done").isEqualTo("a");
        assertThat(store.stored().orElseThrow().spec().renewed()).isEqualTo("1970-01-01T00:00:00.000002Z");

        a.lease.drained(now);
        a.run();
        assertThat(a.last()).isEqualTo(new Turn.Released());
        assertThat(a.lease.state()).isInstanceOf(SlotState.Resting.class);

        pass(Duration.ofSeconds(1));
        b.run();
        assertThat(b.last()).isEqualTo(new Turn.Gained(1, in(TIMES.deadline()), now));
    }

    @Test
    void aHolderClearedByHandIsNotFree() {
        a.found().run();
        b.join().run();
        store.edit(spec -> LeaseStore.heldBy(spec, ""));
        b.stepsOfASecond(4);
        assertThat(b.owns()).isFalse();

        pass(Duration.ofSeconds(1));
        a.run();
        assertThat(a.last()).as("the same term goes on").isEqualTo(new Turn.Extended(1, in(TIMES.deadline())));
        assertThat(holder()).isEqualTo("a");
    }

    @Test
    void aLeaseDeletedByHandIsMadeAnewByItsOwner() {
        a.found().run();
        b.join().run();
        store.delete();
        b.stepsOfASecond(4);
        assertThat(holder()).isEmpty();

        pass(Duration.ofSeconds(1));
        a.run();
        assertThat(a.last()).isEqualTo(new Turn.Extended(1, in(TIMES.deadline())));
        assertThat(holder()).isEqualTo("a");
        b.run();
        assertThat(b.owns()).isFalse();
    }

    @Test
    void ofAnotherHolderTheOwnerLearnsWhenItRenews() {
        a.found().run();
        store.edit(spec -> LeaseStore.heldBy(spec, "garbage \u0000"));
        pass(Duration.ofSeconds(5));
        a.run();
        assertThat(a.last()).isEqualTo(new Turn.Ended(1, Why.TAKEN));

        a.lease.drained(now);
        a.run();
        a.stepsOfASecond(14);
        assertThat(a.owns()).isFalse();
        a.stepsOfASecond(1);
        assertThat(a.last()).isEqualTo(new Turn.Gained(2, in(TIMES.deadline()), now));
    }

    @Test
    void ownNameReadBackIsNoOwnership() {
        a.found().run();
        store.edit(spec -> LeaseStore.heldBy(spec, "b"));
        b.join().run();

        assertThat(b.turns).isEmpty();
        b.stepsOfASecond(14);
        assertThat(b.turns).isEmpty();
    }

    @Test
    void aTakeWhoseAnswerWasLostIsRepeatedAndCountsOnlyThen() {
        a.found().run();
        a.lease.standAside();
        a.lease.drained(now);
        a.run();
        b.join();
        Order.Request read = b.request();
        b.answer(read, store.carryOut(read));
        Order.Request take = b.request();
        assertThat(store.carryOut(take)).isInstanceOf(Answer.Stored.class);
        b.answer(take, new Answer.Unknown("timeout"));
        assertThat(b.turns).isEmpty();
        assertThat(holder()).isEqualTo("b");

        pass(Duration.ofSeconds(1));
        b.run();
        assertThat(b.turns).containsExactly(new Turn.Gained(1, in(TIMES.deadline()), now));
    }

    @Test
    void aRenewalWhoseAnswerWasLostIsRepeatedAndCountsOnlyThen() {
        a.found().run();
        pass(Duration.ofSeconds(5));
        Order.Request renewal = a.request();
        store.carryOut(renewal);
        a.answer(renewal, new Answer.Unknown("timeout"));
        assertThat(a.turns).hasSize(1);

        pass(Duration.ofSeconds(1));
        a.run();
        assertThat(a.last()).isEqualTo(new Turn.Extended(1, in(TIMES.deadline())));
    }

    @Test
    void aLateAnswerAfterStandingAsideIsGivenBack() {
        a.found();
        Order.Request read = a.request();
        a.answer(read, store.carryOut(read));
        Order.Request take = a.request();
        Answer stored = store.carryOut(take);
        a.lease.standAside();
        a.answer(take, stored);
        a.run();

        assertThat(a.turns).containsExactly(new Turn.Released());
        assertThat(holder()).isEmpty();
    }

    @Test
    void aReleaseThatCannotBeWrittenIsGivenUpWhenTheTermWouldHaveEnded() {
        a.found().run();
        a.lease.standAside();
        a.lease.drained(now);
        for (int i = 0; i < 10; i++) {
            Order.Request release = a.request();
            assertThat(release).isInstanceOfSatisfying(Order.Change.class, c -> assertThat(c.purpose()).isEqualTo(Purpose.RELEASE));
            a.answer(release, new Answer.Unknown("timeout"));
            pass(Duration.ofSeconds(1));
        }
        a.run();

        assertThat(a.last()).isEqualTo(new Turn.Released());
        assertThat(a.lease.state()).isInstanceOf(SlotState.Resting.class);
    }

    @Test
    void absurdRecordsAreOutwaited() {
        a.found().run();
        store.edit(spec -> new LeaseSpec("x", Optional.of(Duration.ofSeconds(Integer.MAX_VALUE)), "", "", -5, spec.marks()));
        b.join().run();
        pass(Duration.ofMinutes(59));
        b.run();
        assertThat(b.owns()).isFalse();
        pass(Duration.ofMinutes(1));
        b.run();
        assertThat(b.owns()).as("no Pillion writes more than an hour").isTrue();

        store.edit(_ -> LeaseSpec.EMPTY);
        Contender c = new Contender("c").join().run();
        c.stepsOfASecond(14);
        assertThat(c.owns()).as("a record that says nothing counts for our own duration").isFalse();
        c.stepsOfASecond(1);
        assertThat(c.owns()).isTrue();
    }
}

package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.queue.WorkQueue.Taken;

class WorkQueueTest {
    private static final SetKey A = new SetKey("a");
    private static final SetKey B = new SetKey("b");
    private static final SetKey C = new SetKey("c");

    private final Set<SetKey> foreign = new HashSet<>();
    private final AtomicLong clock = new AtomicLong();
    private final WorkQueue<SetKey> queue = new WorkQueue<>(clock::get, new RateLimiter<>(RateLimiter.Limits.DEFAULT, clock::get),
            key -> !foreign.contains(key));

    @Test
    void forgetsWhatIsNoLongerAccepted() {
        add(A);
        Taken<SetKey> taken = take();
        add(A);
        hold(A, 50);
        add(B);
        hold(C, 50);
        foreign.addAll(List.of(A, B, C));
        queue.dropStrangers();
        add(B);
        assertThat(queue.depth()).isZero();
        assertThat(queue.heldKeys()).isZero();
        assertThat(queue.keysInWork()).containsExactly(A);

        assertThat(queue.done(A, taken.ticket(), new Outcome.Failed("io"))).isTrue();
        assertThat(queue.nextDue()).isEmpty();
        assertThat(queue.retries()).isZero();
        foreign.clear();
        add(A);
        assertThat(take().attempt()).as("failures before the loss are forgotten").isZero();
    }

    @Test
    void aReconcileThatLostAnAcceptedKeyIsRepeated() {
        add(A);
        assertThat(queue.done(A, take().ticket(), new Outcome.Lost())).isTrue();

        assertThat(queue.nextDue()).hasValue(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void waitsOnceAndKeepsItsPlace() {
        add(A);
        add(B);
        add(A);

        assertThat(queue.depth()).isEqualTo(2);
        assertThat(takeAll()).containsExactly(A, B);
    }

    /** Measured on the reference: three AddAfter of 400, 200 and 600 ms give one run at 200 ms and nothing later (4.6). */
    @Test
    void theEarliestOfSeveralDelaysWins() {
        hold(A, 400);
        hold(A, 200);
        hold(A, 600);

        assertThat(queue.nextDue()).hasValue(Duration.ofMillis(200).toNanos());
        advance(199);
        assertThat(queue.take()).isEmpty();
        advance(1);
        finish(take());
        advance(10_000);
        assertThat(queue.take()).isEmpty();
    }

    /** Measured: AddAfter 200 ms followed by a plain add gives a run at once and another at 200 ms (4.7). */
    @Test
    void aPlainAddDoesNotCancelADelay() {
        hold(A, 200);
        add(A);

        finish(take());
        advance(199);
        assertThat(queue.take()).isEmpty();
        advance(1);
        assertThat(take().key()).isEqualTo(A);
    }

    /** Measured: two adds while processing give a length of 0 until the worker is done and 1 afterwards (4.3). */
    @Test
    void addsDuringWorkBringTheKeyBackOnce() {
        add(A);
        Taken<SetKey> taken = take();
        add(A);
        add(A);

        assertThat(queue.depth()).isZero();
        assertThat(queue.take()).isEmpty();
        finish(taken);
        assertThat(queue.depth()).isEqualTo(1);
        finish(take());
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void aDelayMayEndWhileTheKeyIsInWork() {
        add(A);
        Taken<SetKey> taken = take();
        hold(A, 10);
        advance(10);

        assertThat(queue.take()).as("never two workers on one key").isEmpty();
        finish(taken);
        assertThat(take().key()).isEqualTo(A);
    }

    @Test
    void onlyTheCurrentTicketFreesAKey() {
        add(A);
        Taken<SetKey> first = take();
        finish(first);
        add(A);
        Taken<SetKey> second = take();

        assertThat(queue.done(A, first.ticket(), new Outcome.Settled())).isFalse();
        assertThat(queue.done(B, second.ticket(), new Outcome.Settled())).isFalse();
        assertThat(queue.inWork()).isEqualTo(1);
        finish(second);
        assertThat(queue.isDrained()).isTrue();
    }

    @Test
    void failuresWaitLongerAndSuccessForgetsThem() {
        add(A);
        for (int failures = 0; failures < 5; failures++) {
            Taken<SetKey> taken = take();
            assertThat(taken.attempt()).isEqualTo(failures);
            queue.done(A, taken.ticket(), new Outcome.Failed("io"));
            long wait = 5L << failures;
            assertThat(queue.nextDue()).hasValue(Duration.ofMillis(wait).toNanos());
            advance(wait);
        }
        assertThat(queue.retries()).isEqualTo(5);

        queue.done(A, take().ticket(), new Outcome.Again(Duration.ofSeconds(1)));
        assertThat(queue.nextDue()).hasValue(Duration.ofSeconds(1).toNanos());
        advance(1000);
        assertThat(take().attempt()).isZero();
    }

    @Test
    void highBandGoesFirstAndEachBandInItsOrder() {
        queue.add(A, Duration.ZERO, Priority.LOW);
        queue.add(B, Duration.ZERO, Priority.LOW);
        queue.add(C, Duration.ZERO, Priority.HIGH);

        assertThat(takeAll()).containsExactly(C, A, B);
    }

    @Test
    void aLaterAddOnlyRaisesTheBand() {
        queue.add(A, Duration.ZERO, Priority.LOW);
        queue.add(B, Duration.ZERO, Priority.LOW);
        queue.add(C, Duration.ZERO, Priority.LOW);
        queue.add(B, Duration.ZERO, Priority.HIGH);
        queue.add(B, Duration.ZERO, Priority.LOW);

        assertThat(takeAll()).containsExactly(B, A, C);
    }

    @Test
    void aDroppedDelayStillRaisesTheBandOfTheHeldKey() {
        queue.add(A, Duration.ofMillis(10), Priority.LOW);
        queue.add(B, Duration.ofMillis(5), Priority.LOW);
        queue.add(A, Duration.ofMillis(20), Priority.HIGH);
        advance(10);

        assertThat(takeAll()).containsExactly(A, B);
    }

    @Test
    void aKeyThatCameBackFromNoWorkerIsNotLost() {
        add(A);
        Taken<SetKey> lost = take();
        queue.giveBack(lost.ticket());

        assertThat(take().key()).isEqualTo(A);
        assertThat(queue.done(A, lost.ticket(), new Outcome.Settled())).isFalse();
    }

    @Test
    void reportsKeysThatAreTooLongInWorkAndKeepsThem() {
        add(A);
        add(B);
        take();
        advance(30_000);
        Taken<SetKey> later = take();
        advance(30_000);

        assertThat(queue.stuck(Duration.ofSeconds(60))).extracting(WorkQueue.Stuck::key).containsExactly(A);
        assertThat(queue.stuckKeys(Duration.ofSeconds(60))).isEqualTo(1);
        add(A);
        assertThat(queue.take()).as("a stuck key is not freed").isEmpty();
        assertThat(later.key()).isEqualTo(B);
    }

    @Test
    void afterShutDownOnlyWorkInHandIsFinished() {
        add(A);
        add(B);
        hold(C, 10);
        Taken<SetKey> inHand = take();
        add(A);
        queue.shutDown();
        add(C);
        advance(1000);

        assertThat(queue.take()).isEmpty();
        assertThat(queue.nextDue()).isEmpty();
        assertThat(queue.isDrained()).isFalse();
        assertThat(queue.done(A, inHand.ticket(), new Outcome.Failed("io"))).isTrue();
        assertThat(queue.isDrained()).isTrue();
        assertThat(queue.take()).isEmpty();
    }

    /** Else a set would wait as long again as the API server was away. */
    @Test
    void anApiServerThatWasAwayForLongIsAskedAgainSoon() {
        add(A);
        for (int failures = 0; failures < 20; failures++) {
            queue.done(A, take().ticket(), new Outcome.Failed(Outcome.Failed.UNAVAILABLE));
            long wait = Math.min(5L << failures, 30_000);
            assertThat(queue.nextDue()).hasValue(Duration.ofMillis(wait).toNanos());
            advance(wait);
        }
        queue.done(A, take().ticket(), new Outcome.Failed("refused"));
        assertThat(queue.nextDue()).hasValue(Duration.ofSeconds(1000).toNanos());
    }

    @Test
    void tellsHowLongAKeyWaited() {
        hold(A, 50);
        advance(80);
        add(B);
        advance(20);

        Taken<SetKey> first = take();
        assertThat(first.key()).isEqualTo(A);
        assertThat(first.waited()).as("since its time had come").isEqualTo(Duration.ofMillis(50));
        assertThat(take().waited()).isEqualTo(Duration.ofMillis(20));
    }

    private void add(SetKey key) {
        queue.add(key, Duration.ZERO, Priority.HIGH);
    }

    private void hold(SetKey key, long millis) {
        queue.add(key, Duration.ofMillis(millis), Priority.HIGH);
    }

    private Taken<SetKey> take() {
        Optional<Taken<SetKey>> taken = queue.take();
        assertThat(taken).isPresent();
        return taken.orElseThrow();
    }

    private List<SetKey> takeAll() {
        return java.util.stream.Stream.generate(queue::take).takeWhile(Optional::isPresent).map(t -> t.orElseThrow().key()).toList();
    }

    private void finish(Taken<SetKey> taken) {
        assertThat(queue.done(taken.key(), taken.ticket(), new Outcome.Settled())).isTrue();
    }

    private void advance(long millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}

package dev.pillion.reconcile;

import java.time.Duration;
import java.util.Optional;

import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.rollout.Decision;

/** Sums up the rounds of one reconcile into its outcome. */
final class Tally {
    /** What one round brought. */
    static final class Round {
        private boolean changes;
        private boolean lost;
        private boolean failures;
        private Optional<Failure> worst = Optional.empty();

        void count(PodResult result) {
            if (result.failure().isEmpty()) {
                // Whatever was read: the plan waited for it.
                changes |= result.decision() instanceof Decision.ReadLive;
                return;
            }
            failures = true;
            Failure failure = result.failure().get();
            switch (failure) {
                // A Pod that is gone is no error (rollout.md 16.2 I, FR-29), but frees its place.
                case Failure.Gone _ -> changes = true;
                case Failure.Conflict conflict -> {
                    changes |= conflict.live().isPresent();
                    if (conflict.live().isEmpty()) {
                        worst = Optional.of(failure);
                    }
                }
                case Failure.Lost _ -> lost = true;
                case Failure.Refused _,Failure.Unavailable _ -> {
                    changes |= failure instanceof Failure.Refused;
                    worst = Optional.of(failure);
                }
            }
        }

        /** Whether the ledger has learnt something that makes another plan worth while now. */
        boolean changesThePlan() {
            return changes && !lost;
        }

        /** Whether anything was not written as decided. */
        boolean hasFailures() {
            return failures;
        }
    }

    private boolean lost;
    private Optional<Failure> failure = Optional.empty();
    private Optional<Duration> again = Optional.empty();

    void add(Round round) {
        lost |= round.lost;
        failure = round.worst.or(() -> failure);
    }

    /** Asks for another reconcile after this time; the shortest one counts. */
    void again(Duration wait) {
        again = Optional.of(again.filter(before -> before.compareTo(wait) <= 0).orElse(wait));
    }

    /**
     * There is more to do than one reconcile may take: go on at once, after the other sets. Failures so far are no reason to wait, since
     * the Pods they met are passed over.
     */
    void unfinished() {
        failure = Optional.empty();
        again(Duration.ZERO);
    }

    Outcome outcome() {
        if (lost) {
            return new Outcome.Lost();
        }
        if (failure.isPresent()) {
            return new Outcome.Failed(failure.get().word());
        }
        return again.<Outcome>map(Outcome.Again::new).orElseGet(Outcome.Settled::new);
    }
}

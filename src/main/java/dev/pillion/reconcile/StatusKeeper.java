package dev.pillion.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.SetWrites;
import dev.pillion.metrics.ReconcileMeters;

/**
 * Writes a set's status (rollout.md 4.6): only when it differs, at most once per interval while it moves, at once when the roll-out
 * has just ended. observedGeneration is the generation the counts belong to, whatever was stored meanwhile (16.2 J).
 */
final class StatusKeeper {
    private static final int TRIES = 3;

    /** What became of the status. */
    sealed interface Kept {
        /** Stored, or nothing to store. */
        record Current() implements Kept {
        }

        /** To be written after this time. */
        record Later(Duration after) implements Kept {
        }

        /** The set was changed, replaced or removed meanwhile: whatever was decided for it is void, and its own event is on the way. */
        record Outdated() implements Kept {
        }
    }

    private final SetWrites writes;
    private final Duration interval;
    private final ReconcileMeters meters;

    StatusKeeper(SetWrites writes, Duration interval, ReconcileMeters meters) {
        this.writes = writes;
        this.interval = interval;
        this.meters = meters;
    }

    Kept keep(SidecarSet set, SetState state, SetStatus wanted, Instant now) {
        SidecarSet target = state.newest(set);
        if (!wanted.differsFrom(target.status())) {
            return new Kept.Current();
        }
        if (!isComplete(wanted)) {
            Optional<Duration> left = state.statusWritten().map(last -> Duration.between(now, last.plus(interval)))
                    .filter(Duration::isPositive);
            if (left.isPresent()) {
                return new Kept.Later(left.get());
            }
        }
        return write(target, state, wanted, now);
    }

    private static boolean isComplete(SetStatus status) {
        return status.updatedReadyPods() == status.matchedPods() && status.readyPods() == status.matchedPods();
    }

    /** On a conflict the set is read live (16.2 K). One with another spec gets no counts of the old one: its own event is on the way. */
    private Kept write(SidecarSet first, SetState state, SetStatus wanted, Instant now) {
        SidecarSet target = first;
        for (int tries = TRIES;; tries--) {
            try {
                state.statusAnswered(writes.writeStatus(target, wanted), now);
                meters.write("status", "ok");
                return new Kept.Current();
            } catch (KubeException e) {
                Failure failure = Failure.of(e);
                meters.write("status", failure.word());
                if (failure instanceof Failure.Gone) {
                    return new Kept.Outdated();
                }
                if (!(failure instanceof Failure.Conflict) || tries <= 1) {
                    throw e;
                }
            }
            SidecarSet live = writes.read(first.name());
            if (!live.uid().equals(first.uid()) || live.generation() != first.generation()) {
                return new Kept.Outdated();
            }
            target = live;
        }
    }
}

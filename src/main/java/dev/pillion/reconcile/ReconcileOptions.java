package dev.pillion.reconcile;

import java.time.Duration;

import dev.pillion.revision.RevisionOptions;
import dev.pillion.rollout.RolloutOptions;

/**
 * Settings of a reconcile.
 *
 * @param parallelWrites setting rollout.parallel-writes
 * @param statusMinInterval setting status.min-interval
 */
public record ReconcileOptions(RolloutOptions rollout, RevisionOptions revision, int parallelWrites, Duration statusMinInterval) {
    public static final ReconcileOptions PILLION = new ReconcileOptions(RolloutOptions.PILLION, RevisionOptions.PILLION, 16,
            Duration.ofSeconds(1));

    public ReconcileOptions {
        if (parallelWrites < 1) {
            throw new IllegalArgumentException("at least one Pod must be written at a time, not " + parallelWrites);
        }
    }
}

package dev.pillion.rollout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.SetStatus;

/**
 * What one reconcile does.
 *
 * @param status the status of rollout.md 4.1 for the pods seen
 * @param decisions in order of execution
 * @param waiting why pods that are not updated are left alone in this round: stable word and how many (habit 4 of style.md)
 * @param again run again after this time although nothing changes
 */
public record Plan(SetStatus status, List<Decision> decisions, List<Waiting> waiting, Optional<Duration> again) {
    /** reason is a stable word: updated-hash-expected, not-update, paused, not-selected, partition, max-unavailable, not-upgradable, upgrading, flipping. */
    public record Waiting(String reason, int pods) {
    }

    public Plan {
        decisions = List.copyOf(decisions);
        waiting = List.copyOf(waiting);
    }
}

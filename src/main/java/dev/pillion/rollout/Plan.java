package dev.pillion.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;

/**
 * What one reconcile does.
 *
 * @param status the status of rollout.md 4.1 for the pods seen
 * @param decisions in order of execution
 * @param waiting why pods that are not updated are left alone in this round: stable word and how many (habit 4 of style.md)
 * @param again run again after this time although nothing changes
 */
public record Plan(SetStatus status, List<Decision> decisions, List<Waiting> waiting, Optional<Duration> again) {
    /**
     * reason is a stable word: updated-hash-expected, not-update, paused, set-deleting, not-selected, partition, max-unavailable,
     * not-upgradable, upgrading, refused, flipping.
     */
    public record Waiting(String reason, int pods) {
    }

    /** What registering the revision gave: name of the latest one ("" when there is none) and the collision count (rollout.md 3.3). */
    public record Registered(String latestRevision, int collisionCount) {
    }

    public Plan {
        decisions = List.copyOf(decisions);
        waiting = List.copyOf(waiting);
    }

    /**
     * Computes the plan from scratch (design.md 3).
     *
     * @param matchingPods in list order, see {@link Matching}; the order counts for conditions, flips, and scatter terms with {@code *}
     */
    public static Plan of(SidecarSet set, List<PodView> matchingPods, Expectations expectations, Registered registered,
            RolloutOptions options, Instant now) {
        SetRules rules = new SetRules(set, options);
        return new Round(rules, new Snapshot(rules, matchingPods), expectations, now).plan(registered);
    }
}

package dev.pillion.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.PodKey;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;

/**
 * What one reconcile does.
 *
 * @param status the status of rollout.md 4.1 for the pods seen
 * @param decisions in order of execution
 * @param waiting why pods that are not updated are left alone in this round (habit 4 of style.md)
 * @param again run again after this time although nothing changes
 */
public record Plan(SetStatus status, List<Decision> decisions, List<Waiting> waiting, Optional<Duration> again) {
    /** How many Pods are named at most for one reason. */
    public static final int MOST_NAMED = 5;

    /**
     * Pods left alone for one reason. Those of all reasons but OTHER_CONTAINERS, and the upgrades, are together the matching Pods that are
     * not updated.
     *
     * @param some the first of them; empty where naming them would cost a sort that the round does not need
     * @param blockers the first of the Pods they wait for, when they wait for Pods
     */
    public record Waiting(WaitReason reason, int pods, List<PodKey> some, List<PodKey> blockers) {
        public Waiting {
            some = List.copyOf(some);
            blockers = List.copyOf(blockers);
        }
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
     * @param pods those of a list in list order, see {@link Matching}; the order counts for conditions, flips, and scatter terms with
     *        {@code *}
     */
    public static Plan of(SidecarSet set, Matching.Found pods, Expectations expectations, Registered registered, RolloutOptions options,
            Instant now) {
        SetRules rules = new SetRules(set, options);
        return new Round(rules, new Snapshot(rules, pods), expectations, now).plan(registered);
    }
}

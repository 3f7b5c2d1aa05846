package dev.pillion.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.PodKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.rollout.Plan.Waiting;

/**
 * Where one Pod stands in the roll-out of one set: what {@link Plan} tells in numbers, Pod by Pod. For explaining; costs more than a round.
 *
 * @param waits why it is left alone; present exactly when the state is WAITING
 */
public record Standing(PodKey pod, State state, Optional<WaitReason> waits) {

    /** What was done or comes next. */
    public enum State {
        UPDATED("updated"),
        /** Updated, but its containers do not run it yet or it is not ready; it uses up maxUnavailable. */
        STARTING("updated-not-ready"),
        /** One of those the next round updates. */
        NEXT("next"), WAITING("waiting");

        private final String word;

        State(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** The stable word: that of the reason for a Pod that waits. */
    public String word() {
        return waits.map(WaitReason::word).orElse(state.word());
    }

    /** Every Pod of a list that concerns the set, matching ones first, as a round without own unseen writes sees them now. */
    public static List<Standing> of(SidecarSet set, Matching.Found pods, RolloutOptions options, Instant now) {
        SetRules rules = new SetRules(set, options);
        Snapshot table = new Snapshot(rules, pods);
        Plan plan = new Round(rules, table, new Expectations(), now).plan(new Plan.Registered("", 0));
        Set<PodKey> next = new HashSet<>();
        plan.decisions().stream().filter(d -> d instanceof Decision.Upgrade).forEach(d -> next.add(d.pod().key()));
        Set<PodKey> kept = keptByPartition(table, plan);
        Optional<WaitReason> common = common(plan);
        List<Standing> standings = new ArrayList<>();
        for (Verdict verdict : table.verdicts()) {
            standings.add(of(verdict, common, next, kept));
        }
        pods.otherContainers().forEach(key -> standings.add(waiting(key, WaitReason.OTHER_CONTAINERS)));
        return standings;
    }

    /** The reason that holds for every Pod that is not updated, whatever kind it is of. */
    private static Optional<WaitReason> common(Plan plan) {
        return plan.waiting().stream().map(Waiting::reason).filter(r -> switch (r) {
            case UPDATED_HASH_EXPECTED, NOT_UPDATE, PAUSED, SET_DELETING, FLIPPING -> true;
            case NOT_SELECTED, NOT_UPGRADABLE, UPGRADING, PARTITION, REFUSED, MAX_UNAVAILABLE, OTHER_CONTAINERS -> false;
        }).findFirst();
    }

    /** The last ones of the upgrade order (rollout.md 7.1). */
    private static Set<PodKey> keptByPartition(Snapshot table, Plan plan) {
        int kept = plan.waiting().stream().filter(w -> w.reason() == WaitReason.PARTITION).mapToInt(Waiting::pods).sum();
        if (kept == 0) {
            return Set.of();
        }
        int waiting = table.count(Verdict.Kind.WAITING);
        Set<PodKey> keys = new HashSet<>();
        int place = 0;
        for (Verdict verdict : table.upgradeOrder(waiting)) {
            if (place++ >= waiting - kept) {
                keys.add(verdict.pod().key());
            }
        }
        return keys;
    }

    private static Standing of(Verdict verdict, Optional<WaitReason> common, Set<PodKey> next, Set<PodKey> kept) {
        PodKey key = verdict.pod().key();
        if (verdict.isUpdated()) {
            return new Standing(key, verdict.isConsistentAndReady() ? State.UPDATED : State.STARTING, Optional.empty());
        }
        if (common.isPresent()) {
            return waiting(key, common.get());
        }
        return switch (verdict.kind()) {
            case NOT_SELECTED -> waiting(key, WaitReason.NOT_SELECTED);
            case NOT_UPGRADABLE -> waiting(key, WaitReason.NOT_UPGRADABLE);
            case UPGRADING -> waiting(key, WaitReason.UPGRADING);
            case UPDATED -> new Standing(key, State.UPDATED, Optional.empty());
            case WAITING -> next.contains(key)
                    ? new Standing(key, State.NEXT, Optional.empty())
                    : waiting(key, kept.contains(key) ? WaitReason.PARTITION : WaitReason.MAX_UNAVAILABLE);
        };
    }

    private static Standing waiting(PodKey pod, WaitReason reason) {
        return new Standing(pod, State.WAITING, Optional.of(reason));
    }
}

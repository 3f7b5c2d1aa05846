package dev.pillion.rollout;

import java.util.Set;

import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.PodMarks.InPlace;
import dev.pillion.api.PodView;
import dev.pillion.match.PodState;

/**
 * What one Pod means to one set: the small record of rollout.md 17, computed when the Pod or the set changes.
 *
 * @param used whether it counts as unavailable (7.3.1; with the strict budget also 16.3)
 * @param flips whether its idle twins are due for the empty image (10.4)
 * @param marks whether its condition needs a write (8; updated ones by trap G)
 * @param revision name of the revision it was injected or upgraded from, "" when unknown
 */
record Verdict(PodView pod, Kind kind, boolean consistent, boolean ready, boolean used, boolean flips, boolean marks, String revision) {

    /** Section 5: what the Pod is for the choice of this round. */
    enum Kind {
        UPDATED, NOT_SELECTED, NOT_UPGRADABLE, UPGRADING, WAITING
    }

    static Verdict of(SetRules rules, PodView pod) {
        String set = rules.set().name();
        Kind kind = kind(rules, pod);
        boolean consistent = rules.state().isConsistent(pod);
        boolean ready = rules.isReady(pod);
        boolean unavailable = kind == Kind.UPDATED
                ? !consistent || !ready
                : rules.options().budget() == RolloutOptions.Budget.STRICT && (!consistent || (!ready && hasInPlaceEntry(pod, set)));
        boolean marks = switch (kind) {
            case NOT_UPGRADABLE -> UpgradableMessage.changes(set, pod, UpgradableMessage.Upgradable.NO);
            case UPDATED -> rules.options().fixesFaults() && UpgradableMessage.says(set, pod, UpgradableMessage.Upgradable.NO);
            case NOT_SELECTED, UPGRADING, WAITING -> false;
        };
        return new Verdict(pod, kind, consistent, ready, unavailable, FlipRules.isDue(rules, pod), marks,
                pod.marks().hash(set).map(HashEntry::controllerRevision).orElse(""));
    }

    private static boolean hasInPlaceEntry(PodView pod, String set) {
        return pod.marks().inPlace() instanceof InPlace.States(var ids) && ids.containsKey(set);
    }

    private static Kind kind(SetRules rules, PodView pod) {
        String name = rules.set().name();
        if (isUpdated(rules, pod)) {
            return Kind.UPDATED;
        }
        if (!rules.selects(pod)) {
            return Kind.NOT_SELECTED;
        }
        HashEntry withoutImage = pod.marks().withoutImage().get(name);
        if (!(withoutImage == null ? "" : withoutImage.hash()).equals(rules.set().hashWithoutImage())) {
            return Kind.NOT_UPGRADABLE;
        }
        if (rules.options().fixesFaults() && rules.hasOtherNatives(pod)) {
            return Kind.NOT_UPGRADABLE;
        }
        return isUpgrading(rules, pod) ? Kind.UPGRADING : Kind.WAITING;
    }

    /** Rule 4.2. */
    static boolean isUpdated(SetRules rules, PodView pod) {
        return pod.marks().hash(rules.set().name()).map(HashEntry::hash).orElse("").equals(rules.set().hash());
    }

    /** Rule 5.4: a container is ready but does not run yet what the spec says. */
    static boolean isUpgrading(SetRules rules, PodView pod) {
        for (String name : rules.names()) {
            if (PodState.status(pod, name).filter(s -> s.ready()).isPresent() && !rules.state().isConsistent(pod, Set.of(name))) {
                return true;
            }
        }
        return false;
    }

    boolean isWaiting() {
        return kind == Kind.WAITING;
    }

    boolean isUpdated() {
        return kind == Kind.UPDATED;
    }

    /** Counted in readyPods (4.1). */
    boolean isConsistentAndReady() {
        return consistent && ready;
    }
}

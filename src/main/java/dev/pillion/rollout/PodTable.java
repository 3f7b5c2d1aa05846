package dev.pillion.rollout;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.PodKey;

/** The matching Pods of a set as one round reads them. {@link Snapshot} counts them anew, {@link Ledger} keeps them counted. */
interface PodTable {
    int matched();

    int readyPods();

    int updatedReady();

    /** Pods that use up maxUnavailable before this round (7.3.1, 16.3). */
    int used();

    int count(Verdict.Kind kind);

    /** Up to {@link Plan#MOST_NAMED} names of a kind other than UPDATED, by namespace and name. */
    List<PodKey> some(Verdict.Kind kind);

    /** The same of those that {@link #used} counts. */
    List<PodKey> someUsed();

    /** Pods that carry other containers than the set has; they are in no other number. */
    int strangers();

    List<PodKey> someStrangers();

    /** Waiting Pods that are ready, so that taking them needs budget. */
    int waitingReady();

    Optional<Verdict> verdict(PodKey pod);

    /** Pods due for a flip, in list order. */
    Collection<Verdict> flips();

    /** Pods whose condition needs a write, in list order. */
    Collection<Verdict> marks();

    /** The first waiting Pods in upgrade order; at most this many. Lazy where it can be. */
    Iterable<Verdict> upgradeOrder(int limit);

    /** Copies a limited list. */
    static List<Verdict> first(List<Verdict> list, int limit) {
        return list.subList(0, Math.min(limit, list.size()));
    }
}

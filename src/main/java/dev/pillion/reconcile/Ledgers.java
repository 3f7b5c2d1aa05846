package dev.pillion.reconcile;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.rollout.Ledger;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.rollout.WaitReason;

/**
 * What is kept of each set between its reconciles. Created once and given to every worker; only the holder of a set's current ticket
 * touches its entry, and the chain Done -> Reconcile orders the accesses. An entry goes with its set, so expectations never outlive it
 * (events.md 7.9).
 */
public final class Ledgers {
    private final RolloutOptions options;
    private final ConcurrentMap<SetKey, SetState> states = new ConcurrentHashMap<>();

    public Ledgers(RolloutOptions options) {
        this.options = options;
    }

    /** The set's entry; a new one for a set of the same name but another uid. */
    SetState of(SidecarSet set) {
        SetState known = states.get(set.key());
        if (known != null && known.uid().equals(set.uid())) {
            return known;
        }
        SetState fresh = new SetState(set.uid(), new Ledger(options));
        states.put(set.key(), fresh);
        return fresh;
    }

    /** Forgets a set that is gone. */
    public void drop(SetKey set) {
        states.remove(set);
    }

    /** Forgets sets whose slot is lost, once nobody holds a ticket of them. */
    public void dropIf(Predicate<SetKey> gone) {
        states.keySet().removeIf(gone);
    }

    /** How many Pods of all sets wait for this reason. Safe for all threads. */
    int waiting(WaitReason reason) {
        return states.values().stream().mapToInt(s -> s.news().waiting().getOrDefault(reason, 0)).sum();
    }

    public int size() {
        return states.size();
    }
}

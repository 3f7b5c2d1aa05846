package dev.pillion.reconcile;

import java.time.Instant;
import java.util.Set;

import dev.pillion.api.PodKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.SetIndex;
import dev.pillion.rollout.Ledger;
import dev.pillion.rollout.Plan;

/** The set and everything known of it during one reconcile. */
record Run(SidecarSet set, SetIndex index, SetState state, RevisionKeeper.Registered registered, KubePorts fenced) {
    Ledger ledger() {
        return state.ledger();
    }

    /** @param begun Pods whose upgrades are under way */
    Plan plan(Instant now, Set<PodKey> begun) {
        return ledger().plan(registered.latest(), registered.collisionCount(), now, begun);
    }
}

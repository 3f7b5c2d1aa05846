package dev.pillion.rollout;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;

/**
 * The state of one set's roll-out, kept incrementally (design.md 3). Not safe for threads: only the holder of the set's ticket touches it.
 * Its plan equals {@code Plan.of} over the same pods.
 */
public final class Ledger {
    public Ledger(RolloutOptions options) {
        throw new UnsupportedOperationException(options.toString());
    }

    /** Reads everything anew: a first use, a changed set or changed namespaces, or an overflown inbox. Expectations of pods that are still there stay. */
    public void rebuild(SidecarSet set, Map<String, Map<String, String>> namespaceLabels, Collection<PodView> pods) {
        throw new UnsupportedOperationException(set.name());
    }

    /** Takes one change of a pod in. An older view than the known one changes nothing. */
    public void apply(PodChange change) {
        throw new UnsupportedOperationException(change.toString());
    }

    /** Remembers an own write by the answer of the API server; the pod counts as upgraded from now on (events.md 7.13, FR-27). */
    public void wrote(PodView answer, Instant now) {
        throw new UnsupportedOperationException(answer.toString() + now);
    }

    /** A write failed because the pod is gone or was replaced. */
    public void vanished(PodKey pod) {
        throw new UnsupportedOperationException(pod.toString());
    }

    /** Whether the ledger rests on this very version of the set (generation, hashes and everything else decisions read). */
    public boolean isFor(SidecarSet set) {
        throw new UnsupportedOperationException(set.name());
    }

    /** Revision names in use by matching pods (rollout.md 3.4). */
    public java.util.Set<String> revisionsInUse() {
        throw new UnsupportedOperationException();
    }

    public int podCount() {
        throw new UnsupportedOperationException();
    }

    public Plan plan(String latestRevision, int collisionCount, Instant now) {
        throw new UnsupportedOperationException(latestRevision + collisionCount + now);
    }
}

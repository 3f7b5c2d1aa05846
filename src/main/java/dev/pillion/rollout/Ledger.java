package dev.pillion.rollout;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;

/**
 * The state of one set's roll-out, kept incrementally (design.md 3). Not safe for threads: only the holder of the set's ticket touches it.
 * Its plan equals {@code Plan.of} over the same pods.
 */
public final class Ledger {
    private final RolloutOptions options;
    private final Expectations expectations = new Expectations();
    private final Map<PodKey, PodView> known = new HashMap<>();
    private final Set<String> vanished = new HashSet<>();
    private Map<String, Map<String, String>> namespaceLabels = Map.of();
    private @Nullable State state;
    private boolean stale = true;

    /** A set version and the Pods judged by it. */
    private record State(SetRules rules, Tables tables) {
    }

    public Ledger(RolloutOptions options) {
        this.options = options;
    }

    /**
     * Reads everything anew: a first use, a changed set or changed namespaces, or an overflown inbox. Expectations of pods that are still
     * there stay, and so does what the ledger saw of a pod later than the given view.
     *
     * @param labels labels of all Namespaces, by name
     * @param pods all that name the set
     */
    public void rebuild(SidecarSet set, Map<String, Map<String, String>> labels, Collection<PodView> pods) {
        Map<PodKey, PodView> before = new HashMap<>(known);
        SetRules rules = new SetRules(set, options);
        if (state != null && !state.rules.set().hash().equals(set.hash())) {
            expectations.forgetRefusals();
        }
        state = new State(rules, new Tables(rules));
        namespaceLabels = Map.copyOf(labels);
        stale = false;
        known.clear();
        Set<String> given = new HashSet<>();
        for (PodView pod : pods) {
            given.add(pod.uid());
            if (!vanished.contains(pod.uid())) {
                PodView old = before.get(pod.key());
                put(old != null && old.isNewerThan(pod) ? old : pod);
            }
        }
        vanished.retainAll(given);
        before.keySet().stream().filter(k -> !known.containsKey(k)).forEach(expectations::forget);
        expectations.observe(pods);
    }

    /** Takes one change of a pod in. An older view than the known one changes nothing. */
    public void apply(PodChange change) {
        switch (change) {
            case PodChange.Seen(PodView pod) -> {
                if (!vanished.contains(pod.uid()) && isCurrent(pod)) {
                    put(pod);
                    expectations.observe(List.of(pod));
                }
            }
            case PodChange.Gone(PodKey key, String uid) -> {
                vanished.remove(uid);
                PodView old = known.get(key);
                if (old != null && old.uid().equals(uid)) {
                    drop(key);
                }
            }
            case PodChange.Rebuild _ -> stale = true;
        }
    }

    /**
     * Remembers an own write by the answer of the API server; the pod counts as upgraded from now on (events.md 7.13, FR-27). A pod that
     * no event confirms before the deadline is to be read live. Events of the pod that may tell of this write come afterwards.
     */
    public void wrote(PodView answer, Instant now) {
        if (isCurrent(answer)) {
            put(answer);
            expectations.accepted(answer.key());
            if (state().tables.verdict(answer.key()).isPresent()) {
                expectations.expect(answer, "", now.plus(options.expectationDeadline()));
            }
        }
    }

    /** The same for an upgrade, whose condition is still to be written (rollout.md 9.9); with faults kept it has been. */
    public void upgraded(PodView answer, Instant now) {
        wrote(answer, now);
        if (options.fixesFaults() && !state().rules.isMarked(answer)) {
            expectations.owesCondition(answer, now);
        }
    }

    /**
     * The outcome of a write to this view is unknown: until the pod was read live, nothing more is upgraded.
     *
     * @param readAt when to read it; a write that got lost on its way may still arrive until then
     */
    public void uncertain(PodView pod, Instant readAt) {
        if (state().tables.verdict(pod.key()).isPresent()) {
            expectations.expectAfter(pod, readAt);
        }
    }

    /**
     * The answer to a live read; ends what was expected of the pod. A write whose outcome was unknown and that did not happen is tried
     * again a little later, so that a pod whose writes fail keeps nobody else waiting.
     */
    public void readLive(PodView pod, Instant now) {
        boolean unwritten = expectations.isUnseenIn(pod);
        if (isCurrent(pod)) {
            put(pod);
        }
        expectations.readLive(pod.key());
        if (unwritten) {
            expectations.refused(pod, now);
        }
    }

    /** The update of this view was refused: the Pod is passed over for a while, or until it or the set changes (rollout.md 16.2 I). */
    public void refused(PodView pod, Instant now) {
        expectations.refused(pod, now);
    }

    /** A write or a live read failed because the pod is gone or was replaced. Events of it that are still on their way are ignored. */
    public void vanished(PodKey pod) {
        PodView old = known.get(pod);
        if (old != null) {
            vanished.add(old.uid());
            drop(pod);
        }
    }

    private boolean isCurrent(PodView pod) {
        PodView old = known.get(pod.key());
        return old == null || !old.isNewerThan(pod);
    }

    private void put(PodView pod) {
        known.put(pod.key(), pod);
        State current = state();
        Matching.Fit fit = current.rules.fit(pod, namespaceLabels);
        if (fit == Matching.Fit.MATCHES) {
            current.tables.put(pod);
            return;
        }
        // Whatever was expected of it matters no more (events.md 7.8).
        expectations.forget(pod.key());
        if (fit == Matching.Fit.OTHER_CONTAINERS) {
            current.tables.putStranger(pod.key());
        } else {
            current.tables.remove(pod.key());
        }
    }

    private void drop(PodKey pod) {
        known.remove(pod);
        state().tables.remove(pod);
        expectations.forget(pod);
    }

    /** Whether the ledger rests on this very version of the set (generation, hashes and everything else decisions read). */
    public boolean isFor(SidecarSet set) {
        if (stale || state == null) {
            return false;
        }
        SidecarSet mine = state.rules.set();
        return mine.uid().equals(set.uid()) && mine.generation() == set.generation() && mine.deleting() == set.deleting()
                && mine.hash().equals(set.hash()) && mine.hashWithoutImage().equals(set.hashWithoutImage());
    }

    private State state() {
        if (state == null) {
            throw new IllegalStateException("rebuild comes first");
        }
        return state;
    }

    PodTable table() {
        return state().tables;
    }

    Expectations expectations() {
        return expectations;
    }

    /** Names the faulty selector of the set; then no pod matches, and the reconcile must fail (rollout.md 1, step 2). */
    public Optional<String> fault() {
        return state().rules.fault();
    }

    /** Revision names in use by matching pods (rollout.md 3.4). */
    public Set<String> revisionsInUse() {
        Set<String> names = new HashSet<>(state().tables.revisions());
        names.remove("");
        return names;
    }

    /** Number of matching pods. */
    public int podCount() {
        return state == null ? 0 : state.tables.matched();
    }

    /** Plans the next round; O(what it decides), with scatter O(waiting pods times crowded terms). */
    public Plan plan(String latestRevision, int collisionCount, Instant now) {
        return plan(latestRevision, collisionCount, now, Set.of());
    }

    /**
     * Plans what can be done beside upgrades that are under way, as if they had gone through: they use up maxUnavailable, and its status
     * counts them already.
     *
     * @param begun the pods of those upgrades
     */
    public Plan plan(String latestRevision, int collisionCount, Instant now, Set<PodKey> begun) {
        State current = state();
        PodTable table = begun.isEmpty() ? current.tables : new Begun(current.tables, begun);
        return new Round(current.rules, table, expectations, now).plan(new Plan.Registered(latestRevision, collisionCount));
    }
}

package dev.pillion.rollout;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

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
    private final TreeMap<PodKey, PodView> known = new TreeMap<>();
    private final Set<String> vanished = new HashSet<>();
    private Map<String, Map<String, String>> namespaceLabels = Map.of();
    private @Nullable SetRules rules;
    private boolean stale = true;

    public Ledger(RolloutOptions options) {
        this.options = options;
    }

    /** Reads everything anew: a first use, a changed set or changed namespaces, or an overflown inbox. Expectations of pods that are still there stay. */
    public void rebuild(SidecarSet set, Map<String, Map<String, String>> labels, Collection<PodView> pods) {
        Map<PodKey, PodView> before = new TreeMap<>(known);
        Set<String> given = new HashSet<>();
        known.clear();
        rules = new SetRules(set, options);
        namespaceLabels = Map.copyOf(labels);
        stale = false;
        for (PodView pod : pods) {
            given.add(pod.uid());
            if (!vanished.contains(pod.uid())) {
                PodView old = before.get(pod.key());
                known.put(pod.key(), old != null && old.uid().equals(pod.uid()) && old.isNewerThan(pod) ? old : pod);
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
                if (!vanished.contains(pod.uid()) && put(pod)) {
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

    /** Remembers an own write by the answer of the API server; the pod counts as upgraded from now on (events.md 7.13, FR-27). */
    public void wrote(PodView answer, Instant now) {
        put(answer);
        expectations.expect(answer, "", now.plus(options.expectationDeadline()));
    }

    /** The outcome of a write to this view is unknown: until the pod was read live, nothing more is upgraded. */
    public void uncertain(PodView pod, Instant now) {
        expectations.expectAfter(pod, now);
    }

    /** The answer to a live read; ends what was expected of the pod. */
    public void readLive(PodView pod) {
        put(pod);
        expectations.forget(pod.key());
    }

    /** The update of this view was refused: the Pod is passed over until it changes or the time is over (rollout.md 16.2 I). */
    public void refused(PodView pod, Instant until) {
        expectations.refused(pod, until);
    }

    /** A write failed because the pod is gone or was replaced. */
    public void vanished(PodKey pod) {
        PodView old = known.get(pod);
        if (old != null) {
            vanished.add(old.uid());
            drop(pod);
        }
    }

    private boolean put(PodView pod) {
        PodView old = known.get(pod.key());
        if (old != null && old.isNewerThan(pod)) {
            return false;
        }
        known.put(pod.key(), pod);
        return true;
    }

    private void drop(PodKey pod) {
        known.remove(pod);
        expectations.forget(pod);
    }

    /** Whether the ledger rests on this very version of the set (generation, hashes and everything else decisions read). */
    public boolean isFor(SidecarSet set) {
        if (stale || rules == null) {
            return false;
        }
        SidecarSet mine = rules.set();
        return mine.uid().equals(set.uid()) && mine.generation() == set.generation() && mine.deleting() == set.deleting()
                && mine.hash().equals(set.hash()) && mine.hashWithoutImage().equals(set.hashWithoutImage());
    }

    private SetRules rules() {
        if (rules == null) {
            throw new IllegalStateException("rebuild comes first");
        }
        return rules;
    }

    private List<PodView> matching() {
        return known.values().stream().filter(p -> rules().matches(p, namespaceLabels)).toList();
    }

    /** Names the faulty selector of the set; then no pod matches, and the reconcile must fail (rollout.md 1, step 2). */
    public Optional<String> fault() {
        return rules().fault();
    }

    /** Revision names in use by matching pods (rollout.md 3.4). */
    public Set<String> revisionsInUse() {
        Set<String> names = new HashSet<>();
        matching().forEach(p -> p.marks().hash(rules().set().name()).ifPresent(e -> names.add(e.controllerRevision())));
        names.remove("");
        return names;
    }

    public int podCount() {
        return matching().size();
    }

    public Plan plan(String latestRevision, int collisionCount, Instant now) {
        return new Round(rules(), new Snapshot(rules(), matching()), expectations, now)
                .plan(new Plan.Registered(latestRevision, collisionCount));
    }
}

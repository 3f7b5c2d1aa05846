package dev.pillion.revision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.InjectionStrategy;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

/**
 * Which revision a set is at, and which old ones go (rollout.md 3.3, 3.4). Pure: writes are described by {@link Step} and carried out
 * by the caller.
 */
public final class History {
    private static final int DEFAULT_LIMIT = 10;
    private static final Comparator<Revision> ORDER = Comparator.comparingLong(Revision::number).thenComparing(Revision::created)
            .thenComparing(Revision::name);

    private History() {
    }

    /** The set's own revisions of those carrying its name, ascending: without a controller owner, or owned by the set. */
    public static List<Revision> own(SidecarSet set, List<Revision> labelled) {
        return labelled.stream().filter(r -> r.ownerUid().isEmpty() || r.ownerUid().get().equals(set.uid())).sorted(ORDER).toList();
    }

    /**
     * 1. A set being deleted gets no revision. 2. The last own revision has the wanted data: nothing to do. 3. An earlier one has:
     * renumber the last of them. 4. Else create.
     *
     * @param labelled revisions labelled with the set's name, in any order
     */
    public static Step register(SidecarSet set, List<Revision> labelled, RevisionOptions options) {
        if (set.deleting() && options.deleting() == RevisionOptions.Deleting.LEAVE) {
            return new Step.Terminating();
        }
        List<Revision> own = own(set, labelled);
        int collisions = set.status().collisionCount().orElse(0);
        long number = own.isEmpty() ? 1 : own.getLast().number() + 1;
        Revision wanted = Step.wanted(set, RevisionData.of(set.raw().path("spec")), number, collisions, options);
        for (int i = own.size() - 1; i >= 0; i--) {
            Revision existing = own.get(i);
            if (options.sameData(existing, wanted)) {
                if (i == own.size() - 1) {
                    return Step.Registered.of(set, own, collisions);
                }
                List<Revision> others = new ArrayList<>(own);
                others.remove(i);
                return new Step.Renumber(set, existing, number, others, collisions);
            }
        }
        return new Step.Create(set, wanted, own, collisions, options);
    }

    /** Whether the set's spec is what the revision records. */
    public static boolean isAt(SidecarSet set, Revision revision) {
        return RevisionData.canonical(revision.data()).equals(RevisionData.of(set.raw().path("spec")));
    }

    /** The revision before the one the set is at; the last one when the set's spec is not registered yet. Empty when there is none. */
    public static Optional<Revision> previous(SidecarSet set, List<Revision> own) {
        boolean registered = !own.isEmpty() && isAt(set, own.getLast());
        List<Revision> earlier = registered ? own.subList(0, own.size() - 1) : own;
        return earlier.isEmpty() ? Optional.empty() : Optional.of(earlier.getLast());
    }

    /**
     * The revisions to delete, oldest first, so that no more than spec.revisionHistoryLimit (at least 1) stay. The last one, those in
     * use and those pinned for injection always stay, so more may remain.
     *
     * @param history as {@link Step.Registered} gave it
     * @param usedByPods revisions named by this set's entry in the hash annotation of every matching Pod
     */
    public static List<Revision> truncate(SidecarSet set, List<Revision> history, Set<String> usedByPods) {
        int excess = history.size() - limit(set);
        Set<String> used = new HashSet<>(usedByPods);
        set.injectionStrategy().pin().ifPresent(pin -> used.addAll(pinned(pin, history)));
        List<Revision> gone = new ArrayList<>();
        for (Revision revision : history.subList(0, Math.max(0, history.size() - 1))) {
            if (gone.size() < excess && !used.contains(revision.name())) {
                gone.add(revision);
            }
        }
        return gone;
    }

    /** How many revisions may stay: spec.revisionHistoryLimit, at least 1. */
    public static int limit(SidecarSet set) {
        return Math.max(1, set.revisionHistoryLimit().orElse(DEFAULT_LIMIT));
    }

    private static Set<String> pinned(InjectionStrategy.Pin pin, List<Revision> history) {
        Set<String> names = new HashSet<>();
        pin.revisionName().ifPresent(names::add);
        pin.customVersion().flatMap(v -> newestOf(history, v)).ifPresent(r -> names.add(r.name()));
        return names;
    }

    /** The newest revision carrying the custom version as its label. */
    public static Optional<Revision> newestOf(List<Revision> history, String customVersion) {
        return history.reversed().stream().filter(r -> customVersion.equals(r.labels().get(Wire.CUSTOM_VERSION_LABEL))).findFirst();
    }
}

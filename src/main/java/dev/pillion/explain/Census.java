package dev.pillion.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.pillion.api.GoTime;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.inject.Reason;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

/**
 * How many Pods match SidecarSets and lack their sidecars (FR-09), from a view of all Pods. A Pod counts once for each set it lacks.
 *
 * @param byReason number by each of {@link #REASONS}
 * @param bySet number by the set's name; without those that lack none
 */
public record Census(Map<String, Integer> byReason, Map<String, Integer> bySet) {
    private static final String EXCLUDED_LABEL = "control-plane";
    private static final String SYSTEM = "kube-system";

    /** Words of {@link Absence} and {@link Reason}. Only the last one is a surprise. */
    public static final List<String> REASONS = List.of(Absence.NAMESPACE_EXCLUDED.word(), Reason.HIDDEN_BY_CANARY.word(),
            Reason.PAUSED.word(), Absence.OLDER_THAN_SET.word(), Absence.WEBHOOK_NOT_REACHED.word());

    public Census {
        byReason = Map.copyOf(byReason);
        bySet = Map.copyOf(bySet);
    }

    /**
     * Counts.
     *
     * <ol>
     * <li>For each Pod that is active, the sets that its labels and Namespace match.
     * <li>Of these, the ones that its injected list does not name.
     * <li>The reason, the first that holds: the Namespace is excluded by the webhook configurations as shipped; a canary of the set is in
     * the set's place; injection is paused; the Pod is older than the set. Else the webhook was not reached when the Pod was created, or
     * labels or the set have changed since.
     * </ol>
     *
     * @param ownNamespace the controller's, which the shipped configurations exclude
     */
    public static Census of(Collection<PodView> pods, SetIndex index, String ownNamespace) {
        Map<String, List<String>> canaries = new HashMap<>();
        index.sets().forEach(s -> s.canaryOf().ifPresent(base -> canaries.computeIfAbsent(base, _ -> new ArrayList<>()).add(s.name())));
        Set<String> excluded = Set.of(SYSTEM, ownNamespace);
        Map<String, Integer> byReason = new TreeMap<>();
        REASONS.forEach(reason -> byReason.put(reason, 0));
        Map<String, Integer> bySet = new TreeMap<>();
        for (PodView pod : pods) {
            if (!pod.isActive()) {
                continue;
            }
            Optional<NamespaceView> namespace = index.namespace(pod.key().namespace());
            for (CompiledSet set : index.candidates(pod.key().namespace(), pod.labels())) {
                if (set.matchesLabels(pod.labels()) && set.matchesNamespace(namespace) && !names(pod, set.name())) {
                    boolean out = excluded.contains(pod.key().namespace())
                            || namespace.filter(n -> n.labels().containsKey(EXCLUDED_LABEL)).isPresent();
                    String reason = out
                            ? Absence.NAMESPACE_EXCLUDED.word()
                            : reason(pod, set.set(), canaries.getOrDefault(set.name(), List.of()));
                    byReason.merge(reason, 1, Integer::sum);
                    bySet.merge(set.name(), 1, Integer::sum);
                }
            }
        }
        return new Census(byReason, bySet);
    }

    private static boolean names(PodView pod, String set) {
        return pod.marks().injectedList().contains(set);
    }

    private static String reason(PodView pod, SidecarSet set, List<String> canaries) {
        if (canaries.stream().anyMatch(canary -> names(pod, canary))) {
            return Reason.HIDDEN_BY_CANARY.word();
        }
        if (set.injectionStrategy().paused()) {
            return Reason.PAUSED.word();
        }
        Optional<Instant> created = GoTime.read(set.creationTimestamp());
        boolean older = created.isPresent() && pod.created().isPresent() && pod.created().get().isBefore(created.get());
        return (older ? Absence.OLDER_THAN_SET : Absence.WEBHOOK_NOT_REACHED).word();
    }
}

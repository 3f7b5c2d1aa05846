package dev.pillion.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.pillion.api.SetKey;

/**
 * Where each set is filed by its namespaces and labels, by key: it stays as it is while sets change in anything else, as their status does
 * all the time. Never changed after it is filled.
 */
final class Filing {
    private final Map<String, Buckets> byNamespace = new HashMap<>();
    private final Buckets clusterWide = new Buckets();

    private Filing() {
    }

    static Filing of(Map<SetKey, CompiledSet> sets) {
        Filing filing = new Filing();
        Map<LabelPair, Integer> frequencies = Buckets.frequencies(sets.values());
        for (CompiledSet set : sets.values()) {
            if (set.namespaces().isEmpty()) {
                filing.clusterWide.add(set, frequencies);
            } else {
                set.namespaces().get()
                        .forEach(n -> filing.byNamespace.computeIfAbsent(n, _ -> new Buckets()).add(set, frequencies));
            }
        }
        return filing;
    }

    /** Whether the sets after a change are filed as those before it. */
    static boolean isSame(Map<SetKey, CompiledSet> before, Map<SetKey, CompiledSet> after) {
        if (before.size() != after.size()) {
            return false;
        }
        for (Map.Entry<SetKey, CompiledSet> entry : after.entrySet()) {
            CompiledSet known = before.get(entry.getKey());
            CompiledSet now = entry.getValue();
            // Selectors are the same instances where the spec is the same.
            if (known == null || !known.selector().equals(now.selector()) || !known.namespaces().equals(now.namespaces())) {
                return false;
            }
        }
        return true;
    }

    /** Sets bound to the namespace that may match, each at most once. */
    List<CompiledSet> bound(String namespace, Set<LabelPair> labels, Function<SetKey, CompiledSet> sets) {
        Buckets buckets = byNamespace.get(namespace);
        return buckets == null ? new ArrayList<>() : candidates(buckets, labels, sets);
    }

    /** Sets of all namespaces that may match, each at most once. */
    List<CompiledSet> wide(Set<LabelPair> labels, Function<SetKey, CompiledSet> sets) {
        return candidates(clusterWide, labels, sets);
    }

    private static List<CompiledSet> candidates(Buckets buckets, Set<LabelPair> labels, Function<SetKey, CompiledSet> sets) {
        List<CompiledSet> candidates = new ArrayList<>();
        buckets.forEachCandidate(labels, key -> candidates.add(sets.apply(key)));
        return candidates;
    }
}

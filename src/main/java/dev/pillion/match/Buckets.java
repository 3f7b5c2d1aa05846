package dev.pillion.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import dev.pillion.api.SetKey;

/** Sets by one required label pair each, so that a pod meets only sets of which it carries that label. */
final class Buckets {
    private final Map<LabelPair, List<SetKey>> byPair = new HashMap<>();
    private final List<SetKey> rest = new ArrayList<>();

    /** How often each pair is required over all sets: a set is filed under its rarest term. */
    static Map<LabelPair, Integer> frequencies(Collection<CompiledSet> sets) {
        Map<LabelPair, Integer> counts = new HashMap<>();
        for (CompiledSet set : sets) {
            set.selector().ifPresent(s -> s.requiredPairs().forEach(term -> term.forEach(pair -> counts.merge(pair, 1, Integer::sum))));
        }
        return counts;
    }

    void add(CompiledSet set, Map<LabelPair, Integer> frequencies) {
        if (set.selector().isEmpty()) {
            return; // matches no pod
        }
        Optional<List<LabelPair>> term = rarest(set.selector().get().requiredPairs(), frequencies);
        if (term.isEmpty()) {
            rest.add(set.set().key());
        } else {
            new LinkedHashSet<>(term.get()).forEach(pair -> byPair.computeIfAbsent(pair, _ -> new ArrayList<>(1)).add(set.set().key()));
        }
    }

    private static Optional<List<LabelPair>> rarest(List<List<LabelPair>> terms, Map<LabelPair, Integer> frequencies) {
        List<LabelPair> best = null;
        long least = Long.MAX_VALUE;
        for (List<LabelPair> term : terms) {
            long weight = 0;
            for (LabelPair pair : term) {
                weight += frequencies.getOrDefault(pair, 0);
            }
            if (weight < least) {
                least = weight;
                best = term;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Each set at most once: a pod has one value per key, and a set is filed under values of one key. */
    void forEachCandidate(Set<LabelPair> labels, Consumer<SetKey> consumer) {
        rest.forEach(consumer);
        for (LabelPair label : labels) {
            List<SetKey> sets = byPair.get(label);
            if (sets != null) {
                sets.forEach(consumer);
            }
        }
    }
}

package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.pillion.api.UpdateStrategy.ScatterTerm;

/**
 * Spreads Pods with equal label values over the upgrade order (rollout.md 6.3): terms with {@code *} are expanded over all matching
 * Pods, terms are ordered by how many waiting Pods they match, and each is applied to the sequence in turn.
 */
final class Scatter {
    private static final String EVERY_VALUE = "*";
    private static final int[] NONE = {};

    /** A term, how many of all Pods it matches, and how many waiting Pods carry its label with its value. */
    record Counted(ScatterTerm term, int all, int waiting) {
    }

    private Scatter() {
    }

    /** The terms as given, {@code *} replaced by one term per value met in the Pods, in list order, none twice. */
    static List<ScatterTerm> expand(List<ScatterTerm> terms, List<Map<String, String>> allLabels) {
        SequencedSet<ScatterTerm> expanded = new LinkedHashSet<>();
        for (ScatterTerm term : terms) {
            if (!term.value().equals(EVERY_VALUE)) {
                expanded.add(term);
                continue;
            }
            for (Map<String, String> labels : allLabels) {
                String value = labels.get(term.key());
                if (value != null) {
                    expanded.add(new ScatterTerm(term.key(), value));
                }
            }
        }
        return List.copyOf(expanded);
    }

    /** From scratch: counts each term over all Pods. */
    static <P> List<P> order(List<P> waiting, List<ScatterTerm> terms, List<Map<String, String>> allLabels,
            Function<P, Map<String, String>> labels) {
        Map<String, Map<String, Integer>> all = new HashMap<>();
        Map<String, Map<String, Integer>> here = new HashMap<>();
        for (ScatterTerm term : terms) {
            // Compatible: a value of empty text matches Pods without the label, but not when its waiting Pods are counted (trap g).
            all.computeIfAbsent(term.key(), key -> count(allLabels, l -> Optional.of(l.getOrDefault(key, ""))));
            here.computeIfAbsent(term.key(), key -> count(waiting, p -> Optional.ofNullable(labels.apply(p).get(key))));
        }
        List<Counted> counted = new ArrayList<>();
        for (ScatterTerm term : terms) {
            counted.add(new Counted(term, all.getOrDefault(term.key(), Map.of()).getOrDefault(term.value(), 0),
                    here.getOrDefault(term.key(), Map.of()).getOrDefault(term.value(), 0)));
        }
        return order(waiting, counted, terms.size(), allLabels.size(), labels);
    }

    private static <T> Map<String, Integer> count(List<T> things, Function<T, Optional<String>> value) {
        Map<String, Integer> counts = new HashMap<>();
        things.forEach(thing -> value.apply(thing).ifPresent(found -> counts.merge(found, 1, Integer::sum)));
        return counts;
    }

    /**
     * Applies counted terms.
     *
     * @param terms in list order; terms that match fewer than two waiting Pods may be left out, since they change nothing
     * @param termCount number of terms, those left out included: a single term is applied in any case
     * @param allPods number of matching Pods
     */
    static <P> List<P> order(List<P> waiting, List<Counted> terms, int termCount, int allPods, Function<P, Map<String, String>> labels) {
        List<Counted> effective = termCount == 1
                ? terms
                : terms.stream().filter(t -> t.waiting > 0).sorted((a, b) -> Integer.compare(b.waiting, a.waiting)).toList();
        if (effective.isEmpty() || waiting.size() < 2) {
            return waiting;
        }
        Map<String, Map<String, int[]>> members = new HashMap<>();
        Ranking ranking = new Ranking(waiting.size());
        for (Counted counted : effective) {
            Map<String, int[]> byValue = members.computeIfAbsent(counted.term.key(), key -> byValue(waiting, key, labels));
            apply(ranking, byValue.getOrDefault(counted.term.value(), NONE), counted, allPods);
        }
        List<P> order = new ArrayList<>(waiting.size());
        for (int place : ranking.order()) {
            order.add(waiting.get(place));
        }
        return order;
    }

    /** Places in the waiting list by label value. Compatible: a value of empty text stands for Pods without the label, too (trap g). */
    private static <P> Map<String, int[]> byValue(List<P> waiting, String key, Function<P, Map<String, String>> labels) {
        Map<String, IntStream.Builder> places = new HashMap<>();
        for (int i = 0; i < waiting.size(); i++) {
            places.computeIfAbsent(labels.apply(waiting.get(i)).getOrDefault(key, ""), _ -> IntStream.builder()).add(i);
        }
        Map<String, int[]> byValue = new HashMap<>();
        places.forEach((value, found) -> byValue.put(value, found.build().toArray()));
        return byValue;
    }

    /**
     * One term on the sequence. What does not match keeps its order, so only the matching ones are moved.
     * <ol>
     * <li>Split into matching and others; nothing to do when one side has at most one.
     * <li>Keep the last matching one for the very end.
     * <li>Where the others are no scarcer among all Pods than in the sequence, spread the sequence itself; else use the proportions of
     * all Pods, and put the others that are too many in front.
     * </ol>
     */
    private static void apply(Ranking ranking, int[] members, Counted counted, int allPods) {
        int others = ranking.size() - members.length;
        if (members.length <= 1 || others <= 1) {
            return;
        }
        int matching = members.length - 1;
        int allMatching = counted.all - 1;
        int allOthers = allPods - counted.all;
        int groups;
        int matchingStep;
        int othersStep;
        int front = 0;
        if ((float) allOthers / allMatching >= (float) others / matching) {
            groups = Math.min(matching, others);
            matchingStep = round(matching, groups);
            othersStep = round(others, groups);
        } else {
            int smaller = Math.min(allMatching, allOthers);
            matchingStep = round(allMatching, smaller);
            othersStep = round(allOthers, smaller);
            groups = Math.min(matching / matchingStep, others / othersStep);
            front = others - groups * othersStep;
        }
        int[] before = new int[members.length];
        for (int i = 0; i < matching; i++) {
            before[i] = (int) Math.min(others, front + (long) Math.min(i / matchingStep, groups) * othersStep);
        }
        before[matching] = others;
        ranking.move(ranking.sorted(members), before);
    }

    /** Half away from zero, of positive numbers. */
    private static int round(int count, int groups) {
        return (int) Math.floor((double) count / groups + 0.5);
    }
}

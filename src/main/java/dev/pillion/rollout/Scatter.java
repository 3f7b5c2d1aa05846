package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Function;

import dev.pillion.api.UpdateStrategy.ScatterTerm;

/**
 * Spreads Pods with equal label values over the upgrade order (rollout.md 6.3): terms with {@code *} are expanded over all matching
 * Pods, terms are ordered by how many waiting Pods they match, and each is applied to the sequence in turn.
 */
final class Scatter {
    private static final String EVERY_VALUE = "*";

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
        List<Counted> counted = new ArrayList<>();
        for (ScatterTerm term : terms) {
            int all = (int) allLabels.stream().filter(l -> matches(term, l)).count();
            int here = (int) waiting.stream().filter(p -> term.value().equals(labels.apply(p).get(term.key()))).count();
            counted.add(new Counted(term, all, here));
        }
        return order(waiting, counted, terms.size(), allLabels.size(), labels);
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
        List<P> order = waiting;
        for (Counted counted : effective) {
            order = apply(order, counted, allPods, labels);
        }
        return order;
    }

    /** Compatible: a value of empty text matches Pods without the label (trap g). */
    static boolean matches(ScatterTerm term, Map<String, String> labels) {
        return term.value().equals(labels.getOrDefault(term.key(), ""));
    }

    /**
     * One term on the sequence.
     * <ol>
     * <li>Split into matching and others; nothing to do when one side has at most one.
     * <li>Keep the last matching one for the very end.
     * <li>Where the others are no scarcer among all Pods than in the sequence, spread the sequence itself; else use the proportions of
     * all Pods, and put the others that are too many in front.
     * </ol>
     */
    private static <P> List<P> apply(List<P> sequence, Counted counted, int allPods, Function<P, Map<String, String>> labels) {
        List<P> matching = new ArrayList<>();
        List<P> others = new ArrayList<>();
        for (P pod : sequence) {
            (matches(counted.term, labels.apply(pod)) ? matching : others).add(pod);
        }
        if (matching.size() <= 1 || others.size() <= 1) {
            return sequence;
        }
        P last = matching.removeLast();
        int allMatching = counted.all - 1;
        int allOthers = allPods - counted.all;
        int groups;
        int matchingStep;
        int othersStep;
        int front = 0;
        if ((float) allOthers / allMatching >= (float) others.size() / matching.size()) {
            groups = Math.min(matching.size(), others.size());
            matchingStep = round(matching.size(), groups);
            othersStep = round(others.size(), groups);
        } else {
            int smaller = Math.min(allMatching, allOthers);
            matchingStep = round(allMatching, smaller);
            othersStep = round(allOthers, smaller);
            groups = Math.min(matching.size() / matchingStep, others.size() / othersStep);
            front = others.size() - groups * othersStep;
        }
        List<P> result = new ArrayList<>(sequence.size());
        result.addAll(others.subList(0, front));
        int m = 0;
        int o = front;
        for (int i = 0; i < groups; i++) {
            m = move(matching, m, matchingStep, result);
            o = move(others, o, othersStep, result);
        }
        move(matching, m, matching.size(), result);
        move(others, o, others.size(), result);
        result.add(last);
        return result;
    }

    private static <P> int move(List<P> from, int start, int count, List<P> to) {
        int end = Math.min(from.size(), start + count);
        to.addAll(from.subList(Math.min(start, end), end));
        return end;
    }

    /** Half away from zero, of positive numbers. */
    private static int round(int count, int groups) {
        return (int) Math.floor((double) count / groups + 0.5);
    }
}

package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import dev.pillion.api.UpdateStrategy.ScatterTerm;

/** Scatter moves only what matches; here it is done the long way, by taking the sequence apart and putting it together (rollout.md 6.3). */
final class ScatterRandomTest {
    private record Pod(int number, Map<String, String> labels) {
    }

    @RepeatedTest(300)
    void ordersAsTheDescriptionSays(RepetitionInfo info) {
        SplittableRandom random = new SplittableRandom(info.getCurrentRepetition());
        int size = random.nextInt(4) == 0 ? random.nextInt(1500) : random.nextInt(60);
        List<Pod> all = IntStream.range(0, size).mapToObj(i -> new Pod(i, labels(random, size))).toList();
        List<Pod> waiting = all.stream().filter(_ -> random.nextInt(5) > 0).toList();
        List<Map<String, String>> labels = all.stream().map(Pod::labels).toList();
        List<ScatterTerm> given = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            given.add(new ScatterTerm(random.nextBoolean() ? "few" : "many", random.nextInt(3) > 0 ? "*" : "v" + random.nextInt(3)));
        }
        if (random.nextInt(4) == 0) {
            given.add(new ScatterTerm("few", ""));
        }
        List<ScatterTerm> terms = Scatter.expand(given, labels);

        List<Pod> order = Scatter.order(waiting, terms, labels, Pod::labels);

        assertThat(order).as("seed %d", info.getCurrentRepetition()).isEqualTo(byHand(waiting, terms, labels));
    }

    private static Map<String, String> labels(SplittableRandom random, int size) {
        Map<String, String> labels = new HashMap<>();
        if (random.nextInt(8) > 0) {
            labels.put("few", random.nextInt(9) == 0 ? "" : "v" + random.nextInt(3));
        }
        if (random.nextInt(8) > 0) {
            labels.put("many", "v" + random.nextInt(1 + size / 3));
        }
        return labels;
    }

    private static List<Pod> byHand(List<Pod> waiting, List<ScatterTerm> terms, List<Map<String, String>> labels) {
        List<ScatterTerm> used = new ArrayList<>(terms);
        if (terms.size() != 1) {
            used.removeIf(t -> here(waiting, t) == 0);
            used.sort((a, b) -> Long.compare(here(waiting, b), here(waiting, a)));
        }
        List<Pod> order = waiting;
        for (ScatterTerm term : used) {
            int all = (int) labels.stream().filter(l -> matches(term, l)).count();
            order = spread(order, term, all - 1, labels.size() - all);
        }
        return order;
    }

    private static long here(List<Pod> waiting, ScatterTerm term) {
        return waiting.stream().filter(p -> term.value().equals(p.labels.get(term.key()))).count();
    }

    private static boolean matches(ScatterTerm term, Map<String, String> labels) {
        return term.value().equals(labels.getOrDefault(term.key(), ""));
    }

    private static List<Pod> spread(List<Pod> sequence, ScatterTerm term, int allMatching, int allOthers) {
        List<Pod> matching = new ArrayList<>();
        List<Pod> others = new ArrayList<>();
        sequence.forEach(p -> (matches(term, p.labels) ? matching : others).add(p));
        if (matching.size() <= 1 || others.size() <= 1) {
            return sequence;
        }
        Pod last = matching.removeLast();
        boolean asSequence = (float) allOthers / allMatching >= (float) others.size() / matching.size();
        int m = asSequence ? matching.size() : allMatching;
        int u = asSequence ? others.size() : allOthers;
        int matchingStep = (int) Math.floor((double) m / Math.min(m, u) + 0.5);
        int othersStep = (int) Math.floor((double) u / Math.min(m, u) + 0.5);
        int groups = asSequence ? Math.min(m, u) : Math.min(matching.size() / matchingStep, others.size() / othersStep);
        List<Pod> result = new ArrayList<>();
        take(others, asSequence ? 0 : others.size() - groups * othersStep, result);
        for (int i = 0; i < groups; i++) {
            take(matching, matchingStep, result);
            take(others, othersStep, result);
        }
        result.addAll(matching);
        result.addAll(others);
        result.add(last);
        return result;
    }

    private static void take(List<Pod> from, int count, List<Pod> to) {
        List<Pod> head = from.subList(0, Math.min(count, from.size()));
        to.addAll(head);
        head.clear();
    }
}

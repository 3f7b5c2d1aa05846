package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.pillion.api.PodKey;
import dev.pillion.api.UpdateStrategy.ScatterTerm;

/**
 * Which values the scatter labels have among all and among waiting Pods, kept with every change (rollout.md 17), so that only terms
 * with two or more waiting Pods need looking at. List order is the order of the Pod keys.
 */
final class ScatterCounts {
    private static final String EVERY_VALUE = "*";

    private final List<ScatterTerm> terms;
    private final Map<String, Label> labels = new HashMap<>();

    ScatterCounts(List<ScatterTerm> terms) {
        this.terms = terms;
        terms.forEach(t -> labels.putIfAbsent(t.key(), new Label()));
    }

    /** What one label's values stand for. */
    private static final class Label {
        private final Map<String, Value> values = new HashMap<>();
        private final Set<String> crowded = new HashSet<>();
        private int present;
    }

    private static final class Value {
        private final TreeSet<PodKey> pods = new TreeSet<>();
        private int waiting;
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    void add(Verdict verdict) {
        for (Map.Entry<String, Label> entry : labels.entrySet()) {
            String text = verdict.pod().labels().get(entry.getKey());
            if (text != null) {
                Label label = entry.getValue();
                Value value = label.values.computeIfAbsent(text, _ -> new Value());
                label.present++;
                value.pods.add(verdict.pod().key());
                if (verdict.isWaiting() && ++value.waiting == 2) {
                    label.crowded.add(text);
                }
            }
        }
    }

    void remove(Verdict verdict) {
        for (Map.Entry<String, Label> entry : labels.entrySet()) {
            String text = verdict.pod().labels().get(entry.getKey());
            Value value = text == null ? null : entry.getValue().values.get(text);
            if (text != null && value != null) {
                Label label = entry.getValue();
                label.present--;
                value.pods.remove(verdict.pod().key());
                if (verdict.isWaiting() && --value.waiting == 1) {
                    label.crowded.remove(text);
                }
                if (value.pods.isEmpty()) {
                    label.values.remove(text);
                }
            }
        }
    }

    List<Verdict> order(List<Verdict> waiting, int allPods) {
        List<Scatter.Counted> counted = new ArrayList<>();
        for (ScatterTerm term : relevant()) {
            Label label = label(term.key());
            Value value = label.values.get(term.value());
            int absent = term.value().isEmpty() ? allPods - label.present : 0;
            counted.add(new Scatter.Counted(term, absent + (value == null ? 0 : value.pods.size()), value == null ? 0 : value.waiting));
        }
        return Scatter.order(waiting, counted, termCount(), allPods, v -> v.pod().labels());
    }

    private Label label(String key) {
        return labels.computeIfAbsent(key, _ -> new Label());
    }

    /** The expanded terms that can change anything, in list order: a value of empty text also stands for Pods without the label. */
    private Set<ScatterTerm> relevant() {
        Set<ScatterTerm> relevant = new LinkedHashSet<>();
        for (ScatterTerm term : terms) {
            if (!term.value().equals(EVERY_VALUE)) {
                relevant.add(term);
                continue;
            }
            Label label = label(term.key());
            Map<String, PodKey> first = new HashMap<>();
            for (String text : label.crowded) {
                first(label, text, first);
            }
            first(label, "", first);
            first.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                    .forEach(e -> relevant.add(new ScatterTerm(term.key(), e.getKey())));
        }
        return relevant;
    }

    private static void first(Label label, String text, Map<String, PodKey> first) {
        Value value = label.values.get(text);
        if (value != null) {
            first.put(text, value.pods.first());
        }
    }

    /** Number of expanded terms, the irrelevant ones included. */
    private int termCount() {
        Set<ScatterTerm> given = terms.stream().filter(t -> !t.value().equals(EVERY_VALUE)).collect(Collectors.toSet());
        Set<String> open = terms.stream().filter(t -> t.value().equals(EVERY_VALUE)).map(ScatterTerm::key).collect(Collectors.toSet());
        int count = given.size();
        for (String key : open) {
            Map<String, Value> values = label(key).values;
            count += values.size() - (int) given.stream().filter(t -> t.key().equals(key) && values.containsKey(t.value())).count();
        }
        return count;
    }
}

package dev.pillion.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.LabelSelector;

/**
 * A label selector, parsed once. A badly written one is a value too: it matches nothing and tells its fault.
 * What an absent or an empty selector means is the caller's rule; here an empty one matches everything.
 */
public final class Selector {
    private enum Operator {
        IN, NOT_IN, EXISTS, DOES_NOT_EXIST
    }

    /**
     * A requirement that labels do not meet.
     *
     * @param wanted such as app=web, tier in (a, b), no label tier
     * @param key the label it is about
     * @param found the label's value; empty when it is absent
     */
    public record Unmet(String wanted, String key, Optional<String> found) {
    }

    private record Term(String key, Operator operator, Set<String> values) {
        String wanted() {
            List<String> sorted = values.stream().sorted(ByteOrder.UTF8).toList();
            String list = "(" + String.join(", ", sorted) + ")";
            return switch (operator) {
                case IN -> sorted.size() == 1 ? key + "=" + sorted.getFirst() : key + " in " + list;
                case NOT_IN -> key + " not in " + list;
                case EXISTS -> "label " + key;
                case DOES_NOT_EXIST -> "no label " + key;
            };
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }
    }

    private final List<Term> terms;
    private final Optional<String> fault;
    private final List<List<LabelPair>> requiredPairs;

    private Selector(List<Term> terms, Optional<String> fault) {
        this.terms = List.copyOf(terms);
        this.fault = fault;
        this.requiredPairs = this.terms.stream().filter(t -> t.operator() == Operator.IN)
                .map(t -> t.values().stream().map(v -> new LabelPair(t.key(), v)).toList()).toList();
    }

    /**
     * Compiles a selector as written. Only an unknown operator is a fault (injection.md 4).
     * Compatible: keys and values are not checked, and In without values matches nothing.
     */
    public static Selector of(LabelSelector written) {
        List<Term> terms = new ArrayList<>();
        written.matchLabels().forEach((key, value) -> terms.add(new Term(key, Operator.IN, Set.of(value))));
        for (int i = 0; i < written.matchExpressions().size(); i++) {
            LabelSelector.Requirement item = written.matchExpressions().get(i);
            Optional<Operator> operator = operator(item.operator());
            if (operator.isEmpty()) {
                return new Selector(List.of(), Optional.of("matchExpressions[" + i + "].operator \"" + item.operator()
                        + "\" is none of In, NotIn, Exists, DoesNotExist"));
            }
            terms.add(new Term(item.key(), operator.get(), Set.copyOf(item.values())));
        }
        return new Selector(terms, Optional.empty());
    }

    private static Optional<Operator> operator(String written) {
        return switch (written) {
            case "In" -> Optional.of(Operator.IN);
            case "NotIn" -> Optional.of(Operator.NOT_IN);
            case "Exists" -> Optional.of(Operator.EXISTS);
            case "DoesNotExist" -> Optional.of(Operator.DOES_NOT_EXIST);
            default -> Optional.empty();
        };
    }

    /** What is wrong with the selector as written: names the field and what is allowed. */
    public Optional<String> fault() {
        return fault;
    }

    /** Whether it asks for nothing and so matches everything. */
    public boolean isEmpty() {
        return fault.isEmpty() && terms.isEmpty();
    }

    public boolean matches(Map<String, String> labels) {
        if (fault.isPresent()) {
            return false;
        }
        for (Term term : terms) {
            if (!term.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** The first requirement that the labels do not meet, matchLabels first; empty when all are met or the selector has a fault. */
    public Optional<Unmet> unmet(Map<String, String> labels) {
        return terms.stream().filter(t -> !t.matches(labels)).findFirst()
                .map(t -> new Unmet(t.wanted(), t.key(), Optional.ofNullable(labels.get(t.key()))));
    }

    /**
     * For each In term, the labels of which a matching object carries exactly one. Empty when there is no such term or a fault, so that
     * the selector must be tried on every object.
     */
    List<List<LabelPair>> requiredPairs() {
        return requiredPairs;
    }
}

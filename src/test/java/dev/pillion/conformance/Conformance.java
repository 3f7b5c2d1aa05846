package dev.pillion.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/**
 * Runs all cases of a kind and counts them. A case may differ only under a named deviation: a trap marked fix or a field report, a
 * predicate on the input, and a check of the better result. Prints the conformance line of the vectors' README.
 */
public final class Conformance<R> {
    /** check returns what is wrong with the better result, or empty. */
    public record Deviation<R>(String name, Predicate<JsonNode> applies, Check<R> check) {
    }

    /** Judges a result against input and recorded expectation. */
    @FunctionalInterface
    public interface Check<R> {
        Optional<String> problem(JsonNode input, JsonNode expect, R result);
    }

    private final String label;
    private final Function<JsonNode, R> run;
    private final Check<R> equal;
    private final List<Deviation<R>> deviations = new ArrayList<>();

    /** @param equal compares with the recording; empty when it agrees */
    public Conformance(String label, Function<JsonNode, R> run, Check<R> equal) {
        this.label = label;
        this.run = run;
        this.equal = equal;
    }

    public Conformance<R> deviation(String name, Predicate<JsonNode> applies, Check<R> check) {
        deviations.add(new Deviation<>(name, applies, check));
        return this;
    }

    /** Runs the cases; fails when one neither agrees nor deviates as named, or more than the given share deviates. */
    public void verify(List<Vectors.Case> cases, double maxDeviatingShare) {
        int equals = 0;
        int deviating = 0;
        Map<String, Integer> names = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        for (Vectors.Case c : cases) {
            try {
                R result = run.apply(c.input());
                Optional<String> difference = equal.problem(c.input(), c.expect(), result);
                if (difference.isEmpty()) {
                    equals++;
                    continue;
                }
                List<Deviation<R>> under = deviations.stream().filter(d -> d.applies().test(c.input())).toList();
                if (under.isEmpty()) {
                    failures.add(c.id() + ": " + difference.get());
                    continue;
                }
                List<String> problems = under.stream()
                        .flatMap(d -> d.check().problem(c.input(), c.expect(), result).map(p -> d.name() + ": " + p).stream()).toList();
                if (!problems.isEmpty()) {
                    failures.add(c.id() + ": " + problems + "; recorded: " + difference.get());
                    continue;
                }
                deviating++;
                under.forEach(d -> names.merge(d.name(), 1, Integer::sum));
            } catch (RuntimeException e) {
                failures.add(c.id() + ": " + e);
            }
        }
        String counted = names.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(", ", "{", "}"));
        System.out.println("conformance " + label + ": cases=" + cases.size() + " equal=" + equals + " deviations=" + deviating + " failed="
                + failures.size() + " " + counted);
        assertThat(cases).as("cases of %s", label).isNotEmpty();
        assertThat(failures.stream().limit(20)).as("failures of %s (%d in all)", label, failures.size()).isEmpty();
        assertThat((double) deviating).as("deviating cases of %s", label).isLessThanOrEqualTo(maxDeviatingShare * cases.size());
    }
}

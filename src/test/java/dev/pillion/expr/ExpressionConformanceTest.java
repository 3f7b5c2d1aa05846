package dev.pillion.expr;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.expr.Expression.Outcome;
import dev.pillion.expr.Expression.VariableSearch;

import tools.jackson.databind.JsonNode;

final class ExpressionConformanceTest {
    private static final Pattern LARGE = Pattern.compile("[0-9]{16}|[0-9][PE]|[0-9][eE]1[6-9]|[0-9][eE][2-9][0-9]|[0-9][eE][0-9]{3}");
    private static final Pattern MEMORY = Pattern.compile("\\bmemory\\b");

    private record Result(boolean valid, Outcome evaluation) {
    }

    private static Result run(JsonNode input, VariableSearch search) {
        Expression expression = Expression.of(input.path("expression").stringValue());
        Quantity value = Quantity.parse(input.path("value").stringValue()).orElseThrow();
        return new Result(expression.check(input.path("field").stringValue()).isEmpty(), expression.evaluate(value, search));
    }

    private static Optional<String> difference(JsonNode input, JsonNode expect, Result result) {
        boolean valid = expect.path("validation").path("ok").asBoolean(false);
        String recorded = expect.path("evaluation").path("error").asBoolean(false)
                ? "error"
                : expect.path("evaluation").path("value").asString("unset");
        String got = switch (result.evaluation()) {
            case Outcome.Amount(Quantity q) -> q.toString();
            case Outcome.Fault _ -> "error";
        };
        return valid == result.valid() && recorded.equals(got)
                ? Optional.empty()
                : Optional.of(input.path("expression") + " of " + input.path("value") + ": recorded " + valid + ", " + recorded + "; got "
                        + result);
    }

    /** A number whose thousandths leave the 64 bits of the reference: what it yields then depends on its hardware. */
    private static boolean leavesRange(JsonNode input) {
        return LARGE.matcher(input.path("expression").stringValue()).find() || LARGE.matcher(input.path("value").stringValue()).find();
    }

    /** Amounts are never negative by their type's promise; here it is looked at. */
    private static Optional<String> notNegative(JsonNode input, JsonNode expect, Result result) {
        return switch (result.evaluation()) {
            case Outcome.Amount(Quantity q) when q.signum() < 0 -> Optional.of("negative " + q);
            case Outcome.Amount _,Outcome.Fault _ -> Optional.empty();
        };
    }

    private static boolean namesMemoryInUpperCase(JsonNode input) {
        String text = input.path("expression").stringValue();
        return MEMORY.matcher(text.toLowerCase(Locale.ROOT)).find() && !MEMORY.matcher(text).find();
    }

    private static Optional<String> asInLowerCase(JsonNode input, JsonNode expect, Result result) {
        Outcome lower = Expression.of(input.path("expression").stringValue().toLowerCase(Locale.ROOT))
                .evaluate(Quantity.parse(input.path("value").stringValue()).orElseThrow(), VariableSearch.EXACT);
        return result.evaluation().equals(lower) ? Optional.empty() : Optional.of("not as in lower case: " + lower);
    }

    private static Conformance<Result> conformance(String label, VariableSearch search) {
        return new Conformance<Result>(label, input -> run(input, search), ExpressionConformanceTest::difference).deviation("overflow",
                ExpressionConformanceTest::leavesRange, ExpressionConformanceTest::notNegative);
    }

    @Test
    void agreesWithTheReference() {
        conformance("expression", VariableSearch.EXACT).verify(Vectors.of("expression"), 0.15);
    }

    @Test
    void agreesOrDeviatesAsNamed() {
        conformance("expression/pillion", VariableSearch.ANY_CASE)
                .deviation("injection-19", ExpressionConformanceTest::namesMemoryInUpperCase, ExpressionConformanceTest::asInLowerCase)
                .verify(Vectors.of("expression"), 0.15);
    }
}

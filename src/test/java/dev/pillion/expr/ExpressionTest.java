package dev.pillion.expr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.expr.Expression.Outcome;
import dev.pillion.expr.Expression.VariableSearch;

final class ExpressionTest {
    private static String evaluate(String text, String aggregate) {
        return switch (Expression.of(text).evaluate(Quantity.parse(aggregate).orElseThrow(), VariableSearch.ANY_CASE)) {
            case Outcome.Amount(Quantity q) -> q.toString();
            case Outcome.Fault(String why) -> why;
        };
    }

    /** The measured values of injection.md 9.1 and 9.2. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"cpu*50% | 300m | 150m", "cpu*29% | 100m | 28m", "cpu/3 | 1 | 333m", "memory*33% | 100Mi | 33Mi",
            "memory/3 | 1Gi | 357913941333m", "memory+1 | 1Gi | 1073741825", "memory+100Mi | 1Gi | 1124Mi",
            "memory*0.33 | 1Mi | 346030080m",
            "0*cpu+100Mi | 1 | 100Mi", "1+100Mi | 1 | 104857601", "0.5*cpu - 0.3*max(0, cpu-4) + 0.3*max(0, cpu-8) | 6 | 2400m",
            "1e3*cpu | 1 | 1k", "0.1m | 1 | 100u", "1500m*2 | 1 | 3", "2*-3+7 | 1 | 1", "--3 | 1 | 3", "7-2-1 | 1 | 4", "8/2/2 | 1 | 2",
            "cpu | +1.500 | +1.500", "max(cpu,50m) | +1.500 | +1.500", "cpu*1 | +1.500 | 1500m", "5x | 1 | 0", "100mi | 1 | 0",
            "100K | 1 | 0", "1E | 1 | 0", "50%5 | 1 | 0", ". | 1 | 0", "cpu*20% | 0 | 0", "MEMORY*2 | 1Mi | 2Mi", "CPU | 3 | 3"})
    void computes(String text, String aggregate, String result) {
        assertThat(evaluate(text, aggregate)).isEqualTo(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"max(1,2,3)", "1Ei", "1.2.3", "cpu cpu", "(1", "1)", "+1", "1+", "a$", "max()", "é", "1 2"})
    void refusesBadSyntaxWithItsPlace(String text) {
        assertThat(Expression.of(text).check("cpu")).hasValueSatisfying(t -> assertThat(t).contains("unexpected", "line 1, column"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"cpu*2m | multiply two quantities", "1/cpu | divide by a quantity", "cpu/0 | division by zero",
            "1/0 | division by zero", "memory+cpu | unknown variable", "half(2) | unknown function", "max(1) | two arguments",
            "0-cpu | negative", "-10% | negative", "1ek | unexpected"})
    void refusesWhatCannotBeComputed(String text, String why) {
        assertThat(evaluate(text, "1")).contains(why);
    }

    @Test
    void endsAtNulAndCountsLines() {
        assertThat(evaluate("3\0nonsense", "1")).isEqualTo("3");
        assertThat(Expression.of("1 +\n  $").check("cpu")).hasValueSatisfying(t -> assertThat(t).contains("line 2, column 3"));
    }

    @Test
    void survivesAnyDepthAndLength() {
        assertThat(evaluate("(".repeat(100_000) + "1" + ")".repeat(100_000), "1")).contains("nested");
        assertThat(evaluate("max(".repeat(100_000), "1")).contains("nested");
        assertThat(evaluate("-".repeat(100_000) + "3", "1")).isEqualTo("3");
        assertThat(evaluate("cpu" + "+cpu".repeat(50_000), "1")).isEqualTo("50001");
        assertThat(evaluate("9".repeat(100_000), "1")).contains("not a finite number");
    }
}

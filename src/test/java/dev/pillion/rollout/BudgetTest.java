package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.IntOrString;

/** partition and maxUnavailable as numbers (rollout.md 7.1, 7.2; FR-30). */
class BudgetTest {
    private static IntOrString given(String text) {
        return text.matches("-?\\d+") ? new IntOrString.Int(Integer.parseInt(text)) : new IntOrString.Text(text.replace("text:", ""));
    }

    @ParameterizedTest
    @CsvSource({"33.3%,10,4", "1%,10,1", "99%,10,9", "100%,10,10", "100.0%,10,9", "15,10,10", "-1,10,0", "text:5,10,0", "99%,1,1",
            "x%,10,0",
            "NaN%,10,0", "200%,10,10", "-5%,10,0", "50%,0,0"})
    void partitionHasTheMeasuredValues(String text, int pods, int want) {
        assertThat(Budget.partition(Optional.of(given(text)), pods)).isEqualTo(want);
    }

    @ParameterizedTest
    @CsvSource({"33.3%,10,0", "text:5,10,1", "25%,10,3", "0,10,0", "x,10,0", "7,3,7"})
    void maxUnavailableHasTheMeasuredValues(String text, int pods, int want) {
        assertThat(Budget.maxUnavailable(Optional.of(given(text)), pods)).isEqualTo(want);
    }

    static Stream<Integer> pods() {
        return IntStream.rangeClosed(1, 20).boxed();
    }

    @ParameterizedTest
    @MethodSource("pods")
    void percentagesOfMaxUnavailableRoundUp(int pods) {
        for (int percent : new int[]{1, 5, 33, 50, 100}) {
            int want = (percent * pods + 99) / 100;
            assertThat(Budget.maxUnavailable(Optional.of(given(percent + "%")), pods)).as("%d%% of %d", percent, pods).isEqualTo(want);
        }
        assertThat(Budget.maxUnavailable(Optional.of(given("0")), pods)).isZero();
    }

    @Test
    void missingValuesAreOneAndZero() {
        assertThat(Budget.maxUnavailable(Optional.empty(), 10)).isEqualTo(1);
        assertThat(Budget.partition(Optional.empty(), 10)).isZero();
    }
}

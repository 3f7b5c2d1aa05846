package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.UpdateStrategy.ScatterTerm;

/** The check values of rollout.md 6.3: ten pods, 0-3 with a=x, 4-9 with a=y, term a=x. */
class ScatterTest {
    @ParameterizedTest
    @CsvSource({"0123456789,0451672893", "01456789,45670891", "012345,014253", "0456789,0456789", "01234,01234"})
    void hasTheMeasuredOrders(String before, String after) {
        List<Map<String, String>> all = IntStream.range(0, 10).mapToObj(ScatterTest::labels).toList();
        List<String> pods = Stream.of(before.split("")).toList();

        List<String> order = Scatter.order(pods, List.of(new ScatterTerm("a", "x")), all, p -> labels(Integer.parseInt(p)));

        assertThat(String.join("", order)).isEqualTo(after);
    }

    private static Map<String, String> labels(int pod) {
        return Map.of("a", pod < 4 ? "x" : "y");
    }
}

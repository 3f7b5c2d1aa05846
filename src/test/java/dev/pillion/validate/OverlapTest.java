package dev.pillion.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;

/** When selectors overlap: the measured examples of validation.md 10, and what strict judges otherwise (traps 5, 6). */
final class OverlapTest {
    /** Terms joined by &: k=v, k in v|w, k notin v|w, k exists, k absent. */
    private static LabelSelector selector(String text) {
        StringBuilder labels = new StringBuilder();
        StringBuilder expressions = new StringBuilder();
        for (String term : text.strip().split("&", -1)) {
            if (term.contains("=")) {
                labels.append(labels.isEmpty() ? "" : ",").append("\"").append(term.strip().replace("=", "\":\"")).append("\"");
                continue;
            }
            String[] parts = term.strip().split(" ", -1);
            String operator = switch (parts[1]) {
                case "in" -> "In";
                case "notin" -> "NotIn";
                case "exists" -> "Exists";
                default -> "DoesNotExist";
            };
            String values = parts.length > 2 ? ",\"values\":[\"" + parts[2].replace("|", "\",\"") + "\"]" : "";
            expressions.append(expressions.isEmpty() ? "" : ",").append("{\"key\":\"").append(parts[0]).append("\",\"operator\":\"")
                    .append(operator)
                    .append("\"").append(values).append("}");
        }
        return LabelSelector.of(Json.read("{\"matchLabels\":{" + labels + "},\"matchExpressions\":[" + expressions + "]}"));
    }

    @ParameterizedTest
    @CsvSource({"a=h, a=i, false", "a=h, b=i, true", "a=h&b=i&c=j, a=h&b=x&c=j, false", "a=h, a in h|i|j, true", "a=h, a in i|j, false",
            "a notin h|i, a=h, false", "a=h, a exists, true", "a absent, a=h, false", "app=nginx, b exists, false"})
    void compatibleGivesTheMeasuredAnswers(String a, String b, boolean overlaps) {
        Overlap overlap = new Overlap(ValidateOptions.Overlap.COMPATIBLE);
        assertThat(overlap.overlap(selector(a), selector(b))).isEqualTo(overlaps);
        assertThat(overlap.overlap(selector(b), selector(a))).isEqualTo(overlaps);
    }

    @ParameterizedTest
    @CsvSource({"app=nginx, b exists, true", "a in h|i&a in i|j, a=h, false", "a in h|i&a in i|j, a=i, true", "a=ALL, a=h, false",
            "a exists&a notin h, a=h, false", "a exists&a notin h, a in h|i, true", "a exists, a absent, false",
            "a notin h, a absent, true",
            "a notin h, a notin i, true", "a in h|i, a notin h&a notin i, false", "a=h, a=i, false", "a=h, b=i, true"})
    void strictAsksWhetherSomeLabelsSatisfyBoth(String a, String b, boolean overlaps) {
        Overlap overlap = new Overlap(ValidateOptions.Overlap.STRICT);
        assertThat(overlap.overlap(selector(a), selector(b))).isEqualTo(overlaps);
        assertThat(overlap.overlap(selector(b), selector(a))).isEqualTo(overlaps);
    }

    /** Trap 6: what compatible gets wrong in the other direction. */
    @Test
    void compatibleTakesUnitedValuesForOverlap() {
        LabelSelector i = selector("a in h|i&a in i|j");
        LabelSelector hOrJ = selector("a in h|j");
        assertThat(new Overlap(ValidateOptions.Overlap.COMPATIBLE).overlap(i, hOrJ)).isTrue();
        assertThat(new Overlap(ValidateOptions.Overlap.STRICT).overlap(i, hOrJ)).isFalse();
    }

    @Test
    void examplesSatisfyAllSelectors() {
        assertThat(Overlap.example(List.of(selector("b in x|y&a exists"), selector("b notin x&a notin any&c absent"))).orElseThrow())
                .containsExactly(Map.entry("a", "any-other"), Map.entry("b", "y"));
        assertThat(Overlap.example(List.of()).orElseThrow()).isEmpty();
        assertThat(Overlap.example(List.of(selector("a=h"), selector("a=i")))).isEmpty();
    }
}

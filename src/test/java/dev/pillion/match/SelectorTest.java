package dev.pillion.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;

final class SelectorTest {
    private static Selector of(String json) {
        return Selector.of(LabelSelector.of(Json.read(json)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {"In | a,b | a | true", "In | a,b | c | false", "In | a,b | - | false",
            "In | - | a | false", "NotIn | a,b | a | false", "NotIn | a,b | c | true", "NotIn | a,b | - | true", "NotIn | - | a | true",
            "Exists | - | a | true", "Exists | - | - | false", "Exists | x | a | true", "DoesNotExist | - | a | false",
            "DoesNotExist | - | - | true"})
    void decidesByOperator(String operator, String values, String label, boolean matches) {
        String list = values.equals("-") ? "[]" : "[\"" + values.replace(",", "\",\"") + "\"]";
        Selector selector = of("{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"" + operator + "\",\"values\":" + list + "}]}");
        assertThat(selector.matches(label.equals("-") ? Map.of("other", "a") : Map.of("k", label))).isEqualTo(matches);
        assertThat(selector.fault()).isEmpty();
    }

    @Test
    void needsEveryTerm() {
        Selector selector = of("{\"matchLabels\":{\"a\":\"1\"},\"matchExpressions\":[{\"key\":\"b\",\"operator\":\"Exists\"}]}");
        assertThat(selector.matches(Map.of("a", "1", "b", ""))).isTrue();
        assertThat(selector.matches(Map.of("a", "1"))).isFalse();
        assertThat(selector.matches(Map.of("b", ""))).isFalse();
    }

    /** As written, in every process. */
    @Test
    void namesTheFirstRequirementThatIsNotMet() {
        StringBuilder labels = new StringBuilder();
        for (char key = 'z'; key >= 'a'; key--) {
            labels.append(labels.isEmpty() ? "" : ",").append('"').append(key).append("\":\"1\"");
        }

        assertThat(of("{\"matchLabels\":{" + labels + "}}").unmet(Map.of("z", "1")).map(Selector.Unmet::key)).contains("y");
    }

    @Test
    void tellsTheFaultOfAnUnknownOperatorAndMatchesNothing() {
        Selector selector = of("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"in\",\"values\":[\"1\"]}]}");
        assertThat(selector.fault()).hasValueSatisfying(t -> assertThat(t).contains("matchExpressions[0].operator", "\"in\""));
        assertThat(selector.matches(Map.of("a", "1"))).isFalse();
        assertThat(selector.isEmpty()).isFalse();
    }

    @Test
    void emptyOneMatchesEverything() {
        assertThat(of("{}").isEmpty()).isTrue();
        assertThat(of("{}").matches(Map.of())).isTrue();
    }

    @Test
    void takesOddlyWrittenValuesAsTheyAre() {
        assertThat(of("{\"matchLabels\":{\"a\":\"not a valid value!\"}}").matches(Map.of("a", "not a valid value!"))).isTrue();
    }
}

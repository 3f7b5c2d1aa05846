package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes with something behind a fixed one are in every way the nodes that a copy would be. */
final class ExtendedJsonTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"{} | {} | {}", "{\"a\":{}} | {} | {\"a\":{}}",
            "{} | {\"b\":[]} | {\"b\":[]}",
            "{\"a\":\"{\"} | {\"b\":1,\"c\":{\"d\":null}} | {\"a\":\"{\",\"b\":1,\"c\":{\"d\":null}}"})
    void objects(String fixed, String more, String all) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        Json.read(more).properties().forEach(m -> members.put(m.getKey(), m.getValue()));
        ObjectNode made = ExtendedJson.of(FixedJson.of((ObjectNode) Json.read(fixed)), members);

        check(made, Json.read(all));
        assertThat(made.path("a")).isEqualTo(Json.read(all).path("a"));
        assertThat(made.has("b")).isEqualTo(Json.read(all).has("b"));
        assertThat(made.path("other").isMissingNode()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"[] | [] | []", "[[]] | [] | [[]]", "[] | [1] | [1]",
            "[{\"name\":\"a\"},\"[\"] | [{\"name\":\"b\"},[]] | [{\"name\":\"a\"},\"[\",{\"name\":\"b\"},[]]"})
    void lists(String fixed, String more, String all) {
        List<JsonNode> items = Json.read(more).valueStream().toList();
        ArrayNode made = ExtendedJson.of(FixedJson.of((ArrayNode) Json.read(fixed)), items);

        check(made, Json.read(all));
        for (String name : List.of("a", "b", "c")) {
            boolean there = Json.read(all).valueStream().anyMatch(i -> Json.text(i, "name").equals(name));
            assertThat(ExtendedJson.mayHave(made, name)).as(name).isEqualTo(there);
        }
    }

    private static void check(JsonNode made, JsonNode wanted) {
        assertThat(made).isEqualTo(wanted).hasSameHashCodeAs(wanted);
        assertThat(wanted).isEqualTo(made);
        assertThat(made.deepCopy()).isEqualTo(wanted);
        assertThat(new JsonBytes(8).value(made).toBytes()).isEqualTo(Json.bytes(wanted));
        assertThat(Json.bytes(made)).isEqualTo(Json.bytes(wanted));
    }
}

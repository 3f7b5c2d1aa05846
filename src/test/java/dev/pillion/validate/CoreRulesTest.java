package dev.pillion.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/** The measured examples of core-validation.md 13. */
class CoreRulesTest {
    static List<JsonNode> examples() throws IOException {
        List<JsonNode> examples = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(CoreRulesTest.class.getResourceAsStream("/validate/core-examples.jsonl")),
                        StandardCharsets.UTF_8))) {
            lines.lines().map(Json::read).forEach(examples::add);
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void reportsTheMeasuredKindsAndPaths(JsonNode example) {
        List<String> faults = CoreRules.check(example.path("spec"), "test").stream().map(f -> f.kind().word() + " " + f.field()).sorted()
                .toList();
        assertThat(faults).containsExactlyElementsOf(Node.texts(example, "faults"));
    }

    @Test
    void textsNeverShowTheValueOfAVariable() {
        JsonNode spec = Json.read("{\"containers\":[{\"name\":\"a\",\"env\":[{\"name\":\"9\",\"value\":\"hunter2\",\"valueFrom\":{}}]}]}");
        assertThat(CoreRules.check(spec, "test")).isNotEmpty().noneMatch(f -> f.text().contains("hunter2"));
    }
}

package dev.pillion.rollout;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;

/** Which pods a set works on, against the recording (rollout.md 2). No option touches it, so both modes run the same code. */
class MatchpodsConformanceTest {
    @ParameterizedTest
    @ValueSource(strings = {"matchpods", "matchpods/pillion"})
    void agreesWithTheRecording(String label) {
        new Conformance<JsonNode>(label, MatchpodsConformanceTest::match, (_, expect, result) -> Cases.difference(expect, result))
                .verify(Vectors.of("matchpods"), 0);
    }

    private static JsonNode match(JsonNode input) {
        Matching matching = Matching.of(Cases.set(input));
        if (matching.fault().isPresent()) {
            return Json.object().put("error", true);
        }
        List<String> names = matching.find(Cases.pods(input.path("pods")), Cases.namespaces(input.path("namespaces"))).matching().stream()
                .map(p -> p.key().toString()).toList();
        return Json.object().set("pods", Cases.names(names));
    }
}

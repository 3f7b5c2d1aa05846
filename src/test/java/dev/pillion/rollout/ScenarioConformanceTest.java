package dev.pillion.rollout;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whole roll-outs, round by round, against the recording (rollout.md 1). */
class ScenarioConformanceTest {
    @ParameterizedTest
    @MethodSource("dev.pillion.rollout.Modes#both")
    void agreesWithTheRecording(Modes mode) {
        Conformance<JsonNode> conformance = new Conformance<>(mode.label("scenario"), input -> new Replay(input, mode.options()).run(),
                (_, expect, result) -> Cases.difference(expect, result));
        if (mode.isPillion()) {
            conformance.deviation("rollout-16.2-G", ScenarioConformanceTest::seesRefusedPodsUpdated,
                    (_, expect, result) -> Cases.difference(withoutConditions(expect), withoutConditions(result)));
        }
        conformance.verify(Vectors.of("scenario"), mode.share());
    }

    /** The set changes in the middle, or a pod comes with a condition that says no. */
    private static boolean seesRefusedPodsUpdated(JsonNode input) {
        for (JsonNode round : input.path("rounds")) {
            if (round.has("sidecarSet")) {
                return true;
            }
        }
        return Cases.pods(input.path("pods")).stream().anyMatch(p -> p.upgradable().isPresent());
    }

    /** Trap G changes conditions and nothing else. */
    private static JsonNode withoutConditions(JsonNode rounds) {
        JsonNode copy = rounds.deepCopy();
        copy.path("rounds").forEach(r -> ((ObjectNode) r).remove("conditions"));
        return copy;
    }
}

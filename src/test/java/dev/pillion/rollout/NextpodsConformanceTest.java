package dev.pillion.rollout;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One round of choosing, against the recording (rollout.md 5-8). */
class NextpodsConformanceTest {
    @ParameterizedTest
    @MethodSource("dev.pillion.rollout.Modes#both")
    void agreesWithTheRecording(Modes mode) {
        Conformance<JsonNode> conformance = new Conformance<>(mode.label("nextpods"), input -> next(input, mode.options()),
                (_, expect, result) -> Cases.difference(expect, result));
        mode.addStateDeviations(conformance, input -> next(input, RolloutOptions.REFERENCE));
        conformance.verify(Vectors.of("nextpods"), mode.share());
    }

    private static JsonNode next(JsonNode input, RolloutOptions options) {
        SetRules rules = new SetRules(Cases.set(input), options);
        // The recording chooses only, so flips that would come first are passed over.
        Snapshot table = new Snapshot(rules, new Matching.Found(Cases.pods(input.path("pods")), List.of()));
        List<Decision> decisions = new Round(rules, new WithoutFlips(table), new Expectations(), Cases.NOW)
                .plan(new Plan.Registered("", 0)).decisions();
        ObjectNode result = Json.object();
        result.set("upgrade", Cases.names(decisions.stream().filter(Decision.Upgrade.class::isInstance).map(Cases::name).toList()));
        result.set("notUpgradable",
                Cases.names(decisions.stream().filter(Decision.MarkNotUpgradable.class::isInstance).map(Cases::name).toList()));
        return result;
    }
}

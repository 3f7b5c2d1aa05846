package dev.pillion.rollout;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Status counts and the verdicts behind them, against the recording (rollout.md 4, 5). */
class StatusConformanceTest {
    @ParameterizedTest
    @MethodSource("dev.pillion.rollout.Modes#both")
    void agreesWithTheRecording(Modes mode) {
        Conformance<JsonNode> conformance = new Conformance<>(mode.label("status"), input -> status(input, mode.options()),
                (_, expect, result) -> Cases.difference(expect, result));
        mode.addStateDeviations(conformance, input -> status(input, RolloutOptions.REFERENCE));
        conformance.verify(Vectors.of("status"), mode.share());
    }

    private static JsonNode status(JsonNode input, RolloutOptions options) {
        SidecarSet set = Cases.set(input);
        List<PodView> pods = Cases.pods(input.path("pods"));
        Plan plan = Plan.of(set, new Matching.Found(pods, List.of()), new Expectations(),
                new Plan.Registered(input.path("latestRevision").stringValue(), input.path("collisionCount").asInt(0)), options, Cases.NOW);
        SetRules rules = new SetRules(set, options);
        ObjectNode result = Json.object();
        ArrayNode verdicts = result.putArray("pods");
        for (PodView pod : pods) {
            Verdict verdict = Verdict.of(rules, pod);
            String withoutImage = pod.marks().withoutImage().containsKey(set.name())
                    ? pod.marks().withoutImage().get(set.name()).hash()
                    : "";
            boolean canUpgrade = withoutImage.equals(set.hashWithoutImage());
            // The recording says no to the second question as soon as it does to the first.
            verdicts.addObject().put("pod", pod.key().name()).put("updated", verdict.isUpdated()).put("consistent", verdict.consistent())
                    .put("ready", verdict.ready()).put("canUpgrade", canUpgrade)
                    .put("upgradeConsistent", canUpgrade && !Verdict.isUpgrading(rules, pod));
        }
        result.set("status", plan.status().toJson());
        return result;
    }
}

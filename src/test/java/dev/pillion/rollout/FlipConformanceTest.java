package dev.pillion.rollout;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** When idle twins are emptied and what is written, against the recording (rollout.md 10.4). */
class FlipConformanceTest {
    @ParameterizedTest
    @MethodSource("dev.pillion.rollout.Modes#both")
    void agreesWithTheRecording(Modes mode) {
        Conformance<JsonNode> conformance = new Conformance<>(mode.label("flip"), input -> flip(input, mode.options()),
                (_, expect, result) -> Cases.difference(expect, result));
        mode.addStateDeviations(conformance, input -> flip(input, RolloutOptions.REFERENCE));
        conformance.verify(Vectors.of("flip"), mode.share());
    }

    private static JsonNode flip(JsonNode input, RolloutOptions options) {
        SidecarSet set = Cases.set(input);
        PodView pod = PodViews.of(input.path("pod"));
        SetRules rules = new SetRules(set, options);
        ObjectNode result = Json.object().put("hasHotContainer", rules.isHot());
        boolean flips = FlipRules.isDue(rules, pod);
        if (rules.isHot()) {
            List<HotTwins> twins = HotTwins.of(set, pod);
            result.put("inHotUpgrading", twins.stream().anyMatch(t -> t.isFlipDue(set, pod, options)))
                    .put("workConsistent", FlipRules.isWorkConsistent(rules, pod, twins)).put("ready", FlipRules.isWorkReady(pod, twins));
        }
        result.put("flipped", flips);
        if (flips) {
            result.set("pod", Patches.apply(input.path("pod"), Json.read(PodPatch.flip(set, pod, options, Cases.NOW))));
        }
        return result;
    }
}

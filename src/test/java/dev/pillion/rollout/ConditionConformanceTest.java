package dev.pillion.rollout;

import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The upgradable condition, against the recording (rollout.md 8). */
class ConditionConformanceTest {
    @ParameterizedTest
    @MethodSource("dev.pillion.rollout.Modes#both")
    void agreesWithTheRecording(Modes mode) {
        Conformance<JsonNode> conformance = new Conformance<>(mode.label("condition"), input -> condition(input, mode.options()),
                (_, expect, result) -> Cases.difference(expect, result));
        if (mode.isPillion()) {
            conformance.deviation("rollout-16.2-F", input -> UpgradableMessage.entries(PodViews.of(input.path("pod"))).isEmpty(),
                    ConditionConformanceTest::onlyThisSet);
            conformance.deviation("rollout-16.2-H", input -> UpgradableMessage.entries(PodViews.of(input.path("pod"))).isPresent(),
                    ConditionConformanceTest::guardedButEqual);
        }
        conformance.verify(Vectors.of("condition"), mode.share());
    }

    private static JsonNode condition(JsonNode input, RolloutOptions options) {
        PodView pod = PodViews.of(input.path("pod"));
        ObjectNode result = Json.object();
        try {
            Optional<String> patch = PodPatch.condition(Json.text(input, "sidecarSetName"), pod, input.path("upgradable").asBoolean(false),
                    _ -> true, options, Cases.NOW);
            result.put("patched", patch.isPresent());
            patch.ifPresent(p -> result.set("patch", Json.read(p)));
            return result;
        } catch (IllegalStateException e) {
            return result.put("error", true);
        }
    }

    /** Trap F mended: the unreadable message gives way to one with this set alone. */
    private static Optional<String> onlyThisSet(JsonNode input, JsonNode expect, JsonNode result) {
        String want = "{\"" + Json.text(input, "sidecarSetName") + "\":" + input.path("upgradable").asBoolean(false) + "}";
        String message = Json.text(result.path("patch").path("status").path("conditions").path(0), "message");
        return message.equals(want) ? Optional.empty() : Optional.of("message " + message);
    }

    /** Trap H mended: the same condition, with the pod's uid and resourceVersion in the body. */
    private static Optional<String> guardedButEqual(JsonNode input, JsonNode expect, JsonNode result) {
        ObjectNode bare = (ObjectNode) result.deepCopy();
        JsonNode guard = ((ObjectNode) bare.path("patch")).remove("metadata");
        JsonNode metadata = input.path("pod").path("metadata");
        boolean guarded = guard != null && guard.size() == 2 && Json.text(guard, "uid").equals(Json.text(metadata, "uid"))
                && Json.text(guard, "resourceVersion").equals(Json.text(metadata, "resourceVersion"));
        return guarded ? Cases.difference(expect, bare) : Optional.of("no guard in " + result);
    }
}

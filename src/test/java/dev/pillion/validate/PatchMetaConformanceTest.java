package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet.PatchPodMetadata;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.podmeta.MetadataPatch;
import dev.pillion.podmeta.MetadataPatch.SameValue;
import dev.pillion.validate.ValidateOptions.MetadataDefaults;

import tools.jackson.databind.JsonNode;

/** The recorded cases of patchPodMetadata: which keys a set may patch (mode whitelist), and what becomes of them (mode patch). */
final class PatchMetaConformanceTest {
    /** As recorded: refused, or the annotations afterwards (none for mode whitelist). */
    private sealed interface Outcome {
        record Refused() implements Outcome {
        }

        record Allowed(Map<String, String> annotations) implements Outcome {
        }
    }

    @Test
    void agreesWithTheReference() {
        new Conformance<>("patchmeta", input -> run(input, SameValue.REWRITE), PatchMetaConformanceTest::difference)
                .verify(Vectors.of("patchmeta"), 0);
    }

    @Test
    void agreesWithTheReferenceAsThePodWebhookDoesIt() {
        new Conformance<>("patchmeta/pillion", input -> run(input, SameValue.KEEP), PatchMetaConformanceTest::difference)
                .deviation("FR-20", PatchMetaConformanceTest::hasPatchedAlready,
                        (input, _, outcome) -> outcome.equals(new Outcome.Allowed(texts(input.path("annotations"))))
                                ? Optional.empty()
                                : Optional.of("changed again: " + outcome))
                .verify(Vectors.of("patchmeta"), 0.15);
    }

    /** A second call on the own output: the first one wrote the patch itself, JSON or not. */
    private static boolean hasPatchedAlready(JsonNode input) {
        Map<String, String> present = texts(input.path("annotations"));
        return isPatch(input) && StreamSupport.stream(input.path("patchPodMetadata").spliterator(), false)
                .allMatch(p -> Json.text(p, "patchPolicy").equals("MergePatchJson")
                        && texts(p.path("annotations")).entrySet().stream().allMatch(e -> e.getValue().equals(present.get(e.getKey()))));
    }

    private static Outcome run(JsonNode input, SameValue sameValue) {
        return isPatch(input) ? patched(input, sameValue) : listed(input);
    }

    private static boolean isPatch(JsonNode input) {
        return Json.text(input, "mode").equals("patch");
    }

    private static Outcome patched(JsonNode input, SameValue sameValue) {
        List<PatchPodMetadata> patches = new ArrayList<>();
        input.path("patchPodMetadata")
                .forEach(p -> patches.add(new PatchPodMetadata(texts(p.path("annotations")), Json.text(p, "patchPolicy"))));
        return switch (MetadataPatch.apply(texts(input.path("annotations")), patches, sameValue)) {
            case MetadataPatch.Outcome.Refused _ -> new Outcome.Refused();
            case MetadataPatch.Outcome.Applied(Map<String, String> after) -> new Outcome.Allowed(after);
        };
    }

    private static Outcome listed(JsonNode input) {
        Optional<Map<String, String>> configMap = input.path("configMap").isObject()
                ? Optional.of(texts(input.path("configMap").path("data")))
                : Optional.empty();
        boolean gate = input.path("featureGates").path("SidecarSetPatchPodMetadataDefaultsAllowed").asBoolean(false);
        Optional<String> problem = Whitelist.problem(Node.items(input, "patchPodMetadata"), texts(input.path("labels")),
                configMap, gate ? MetadataDefaults.ALLOWED : MetadataDefaults.REFUSED);
        return problem.isPresent() ? new Outcome.Refused() : new Outcome.Allowed(Map.of());
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> map = new LinkedHashMap<>();
        object.properties().forEach(e -> map.put(e.getKey(), e.getValue().stringValue()));
        return map;
    }

    private static Optional<String> difference(JsonNode input, JsonNode expect, Outcome outcome) {
        boolean agrees = switch (outcome) {
            case Outcome.Refused _ -> expect.path("error").asBoolean(false);
            case Outcome.Allowed(Map<String, String> after) when isPatch(input) ->
                !expect.has("error") && new HashMap<>(after).equals(texts(expect.path("annotations")))
                        && expect.path("changed").booleanValue() != after.equals(texts(input.path("annotations")));
            case Outcome.Allowed _ -> expect.path("allowed").asBoolean(false);
        };
        return agrees ? Optional.empty() : Optional.of("recorded " + expect + "; got " + outcome);
    }
}

package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.TypedDecode;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.match.SetIndex;
import dev.pillion.validate.ValidateOptions.MetadataDefaults;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Recorded verdicts of the SidecarSet-validating webhook. */
class ValidateConformanceTest {
    private record Outcome(boolean decoded, List<String> errors) {
    }

    @Test
    void agreesWithTheReference() {
        new Conformance<>("validate", input -> run(input, ValidateOptions.REFERENCE), ValidateConformanceTest::difference)
                .verify(Vectors.of("validate"), 0.15);
    }

    private static Outcome run(JsonNode input, ValidateOptions options) {
        String version = Json.text(input, "version");
        ObjectNode object = (ObjectNode) input.path("object");
        if (TypedDecode.checkSidecarSet(object, version.equals("v1alpha1") ? MemberTable.V1ALPHA1 : MemberTable.V1BETA1).isPresent()) {
            return new Outcome(false, List.of());
        }
        Optional<ObjectNode> old = input.path("oldObject").isObject()
                ? Optional.of(stored((ObjectNode) input.path("oldObject"), version))
                : Optional.empty();
        Optional<Map<String, String>> configMap = input.path("configMap").isObject()
                ? Optional.of(data(input.path("configMap")))
                : Optional.empty();
        List<SidecarSet> sets = new ArrayList<>();
        input.path("existingSidecarSets").forEach(s -> sets.add(SidecarSet.of((ObjectNode) s)));
        ObjectNode hub = stored(object, version);
        boolean gate = input.path("featureGates").path("SidecarSetPatchPodMetadataDefaultsAllowed").asBoolean(false);
        Validation validation = SetValidator.validate(
                new ValidationRequest(Json.text(input, "operation").equals("CREATE") ? Operation.CREATE : Operation.UPDATE, hub, old,
                        pinned(SidecarSet.of(hub), input.path("controllerRevisions")), configMap, "kruise-system"),
                SetIndex.of(sets, List.of()), options.with(gate ? MetadataDefaults.ALLOWED : MetadataDefaults.REFUSED));
        return new Outcome(true, validation.faults().stream().map(f -> f.kind().word() + " " + f.field()).sorted().toList());
    }

    private static ObjectNode stored(ObjectNode object, String version) {
        return version.equals("v1alpha1") ? hub(object) : object;
    }

    private static ObjectNode hub(ObjectNode o) {
        ObjectNode c = o.deepCopy();
        if (c.path("spec") instanceof ObjectNode spec) {
            String ns = Json.text(spec, "namespace");
            if (!ns.isEmpty()) {
                spec.remove("namespace");
                spec.set("namespaceSelector", Json.read("{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"" + ns + "\"}}"));
            }
        }
        return c;
    }

    private static Map<String, String> data(JsonNode configMap) {
        Map<String, String> data = new HashMap<>();
        configMap.path("data").properties().forEach(e -> data.put(e.getKey(), e.getValue().asString("")));
        return data;
    }

    private static Pinned pinned(SidecarSet set, JsonNode revisions) {
        if (set.injectionStrategy().pin().isEmpty()) {
            return Pinned.FOUND;
        }
        var pin = set.injectionStrategy().pin().get();
        for (JsonNode revision : revisions) {
            JsonNode metadata = revision.path("metadata");
            boolean named = pin.revisionName().isPresent()
                    ? pin.revisionName().get().equals(Json.text(metadata, "name"))
                    : Json.text(metadata.path("labels"), "kruise.io/sidecarset-name").equals(set.name())
                            && pin.customVersion().orElse("")
                                    .equals(Json.text(metadata.path("labels"), "apps.kruise.io/sidecarset-custom-version"));
            if (named) {
                return Pinned.FOUND;
            }
        }
        return Pinned.NOT_FOUND;
    }

    private static Optional<String> difference(JsonNode input, JsonNode expect, Outcome outcome) {
        if (!outcome.decoded) {
            return expect.path("code").asInt(0) == 400 ? Optional.empty() : Optional.of("refused as undecodable, recorded " + expect);
        }
        if (expect.path("allowed").asBoolean()) {
            return outcome.errors.isEmpty() ? Optional.empty() : Optional.of("recorded as allowed, found " + outcome.errors);
        }
        if (expect.path("referencePanics").asBoolean(false)) {
            return Optional.empty();
        }
        List<String> recorded = new ArrayList<>();
        expect.path("errors").forEach(e -> recorded.add(Json.text(e, "type") + " " + Json.text(e, "field")));
        recorded.sort(null);
        return recorded.equals(outcome.errors) ? Optional.empty() : Optional.of("recorded " + diff(recorded, outcome.errors));
    }

    private static Map<String, Integer> diff(List<String> recorded, List<String> found) {
        Map<String, Integer> counts = new TreeMap<>();
        recorded.forEach(r -> counts.merge(r, -1, Integer::sum));
        found.forEach(f -> counts.merge(f, 1, Integer::sum));
        counts.values().removeIf(n -> n == 0);
        return counts;
    }
}

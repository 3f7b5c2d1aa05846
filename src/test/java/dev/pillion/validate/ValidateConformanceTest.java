package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Conversion;
import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.TypedDecode;
import dev.pillion.api.Wire;
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

    /** What a mended trap adds (+) to or takes (-) from the recorded errors. */
    private enum Mended {
        NO_DEFAULT(
                "-.* spec\\.\\w+\\[\\d+\\]\\.(startupProbe\\.(successThreshold|httpGet\\.path|httpGet\\.scheme)|image\\.pullPolicy)"), STRATEGY(
                        "\\+.* spec\\.updateStrategy\\.(type|partition|maxUnavailable)"), EMPTY_IMAGE(
                                "\\+FieldValueRequired spec\\.(containers|initContainers)\\.upgradeStrategy\\.hotUpgradeEmptyImage"), EXPRESSION(
                                        "\\+FieldValueInvalid spec\\[\\d+\\]\\.resourcesPolicy\\.resourcesExpr\\..*"), POLICY(
                                                "\\+FieldValueRequired spec\\.patchPodMetadata");

        private final Pattern difference;

        Mended(String difference) {
            this.difference = Pattern.compile(difference);
        }

        boolean explains(String change) {
            return difference.matcher(change).matches();
        }
    }

    @Test
    void agreesWithTheReferenceButForNamedFixes() {
        new Conformance<>("validate/pillion", input -> run(input, ValidateOptions.PILLION), ValidateConformanceTest::difference)
                .deviation("validation-1", i -> containers(i).anyMatch(c -> c.path("startupProbe").isObject()) || hasImageVolume(i),
                        check(Mended.NO_DEFAULT))
                .deviation("validation-9", ValidateConformanceTest::hasUnjudgedStrategy, check(Mended.STRATEGY))
                .deviation("validation-14", i -> containers(i).anyMatch(ValidateConformanceTest::isHotWithoutEmptyImage),
                        check(Mended.EMPTY_IMAGE))
                .deviation("validation-18", i -> containers(i).anyMatch(ValidateConformanceTest::hasOddNumber), check(Mended.EXPRESSION))
                .deviation("validation-26", ValidateConformanceTest::hasOddPolicy, check(Mended.POLICY))
                .verify(Vectors.of("validate"), 0.15);
    }

    /** Every difference is one that some mended trap makes, and this one makes at least one. */
    private static Conformance.Check<Outcome> check(Mended mended) {
        return (_, expect, outcome) -> {
            List<String> changes = changes(recorded(expect), outcome.errors);
            boolean explained = changes.stream().allMatch(c -> Stream.of(Mended.values()).anyMatch(m -> m.explains(c)));
            return explained && changes.stream().anyMatch(mended::explains) ? Optional.empty() : Optional.of("differs by " + changes);
        };
    }

    private static JsonNode spec(JsonNode input) {
        return input.path("object").path("spec");
    }

    private static Stream<JsonNode> containers(JsonNode input) {
        return Stream.of("containers", "initContainers").flatMap(list -> StreamSupport.stream(spec(input).path(list).spliterator(), false));
    }

    private static boolean hasImageVolume(JsonNode input) {
        return spec(input).path("volumes").valueStream().anyMatch(v -> v.path("image").isObject());
    }

    /** A type or an amount that the reference looks at for RollingUpdate only. */
    private static boolean hasUnjudgedStrategy(JsonNode input) {
        JsonNode strategy = spec(input).path("updateStrategy");
        String type = Json.text(strategy, "type");
        boolean oddAmount = Stream.of("partition", "maxUnavailable").map(strategy::path)
                .anyMatch(a -> a.isString() ? !a.stringValue().matches("[0-9]+%") : a.asInt(0) < 0);
        return !type.equals("RollingUpdate") && (oddAmount || !type.equals("NotUpdate"));
    }

    private static boolean isHotWithoutEmptyImage(JsonNode container) {
        JsonNode upgrade = container.path("upgradeStrategy");
        return Json.text(upgrade, "upgradeType").equals("HotUpgrade") && Json.text(upgrade, "hotUpgradeEmptyImage").isEmpty();
    }

    private static boolean hasOddNumber(JsonNode container) {
        Pattern number = Pattern.compile("[0-9.]+([A-Za-z]+)");
        return container.path("resourcesPolicy").path("resourcesExpr").findValuesAsString("memory").stream().anyMatch(
                text -> number.matcher(text).results().anyMatch(m -> !m.group(1).matches("[mkMGTP]|[KMGTP]i")));
    }

    private static boolean hasOddPolicy(JsonNode input) {
        return StreamSupport.stream(spec(input).path("patchPodMetadata").spliterator(), false)
                .anyMatch(p -> !List.of("", "Retain", "Overwrite", "MergePatchJson").contains(Json.text(p, "patchPolicy")));
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
        ObjectNode typed = object.deepCopy().put("apiVersion", Wire.GROUP + "/" + version).put("kind", Wire.KIND);
        return version.equals("v1alpha1")
                ? ((Conversion.Outcome.Converted) Conversion.convert(typed, Wire.V1BETA1, Conversion.Mode.LOSSLESS)).object()
                : object;
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
        List<String> changes = changes(recorded(expect), outcome.errors);
        return changes.isEmpty() ? Optional.empty() : Optional.of("differs by " + changes);
    }

    private static List<String> recorded(JsonNode expect) {
        List<String> recorded = new ArrayList<>();
        expect.path("errors").forEach(e -> recorded.add(Json.text(e, "type") + " " + Json.text(e, "field")));
        return recorded;
    }

    private static List<String> changes(List<String> recorded, List<String> found) {
        Map<String, Integer> counts = new TreeMap<>();
        recorded.forEach(r -> counts.merge(r, -1, Integer::sum));
        found.forEach(f -> counts.merge(f, 1, Integer::sum));
        return counts.entrySet().stream().filter(e -> e.getValue() != 0).map(e -> (e.getValue() > 0 ? "+" : "-") + e.getKey()).toList();
    }
}

package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;
import dev.pillion.podmeta.HashAnnotation;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What an upgraded pod looks like, against the recording (rollout.md 9, 10). */
class UpgradepodConformanceTest {
    @ParameterizedTest
    @MethodSource("dev.pillion.rollout.Modes#both")
    void agreesWithTheRecording(Modes mode) {
        Conformance<JsonNode> conformance = new Conformance<>(mode.label("upgradepod"), input -> upgrade(input, mode.options()),
                (_, expect, result) -> Cases.difference(expect, result));
        conformance.deviation("rollout-16.2-V", UpgradepodConformanceTest::hasNull, (_, _, result) -> !mode.isPillion()
                ? require(result.path("error").asBoolean(false), "the pod must be left alone")
                : require(!result.has("error"), "null must count as empty"));
        if (mode.isPillion()) {
            conformance.deviation("rollout-16.2-L", UpgradepodConformanceTest::changesForm,
                    UpgradepodConformanceTest::everyEntryIsNamedByItsKey);
            conformance.deviation("rollout-16.2-A", input -> !changesForm(input) && workingTwinMayBeUnsound(input),
                    UpgradepodConformanceTest::soundTwinWorks);
        }
        conformance.verify(Vectors.of("upgradepod"), mode.share());
    }

    private static JsonNode upgrade(JsonNode input, RolloutOptions options) {
        SidecarSet set = Cases.set(input);
        PodView pod = PodViews.of(input.path("pod"));
        ObjectNode result = Json.object();
        JsonNode patch;
        try {
            patch = Json.read(PodPatch.upgrade(set, pod, annotations(input), set.status().latestRevision(), options, Cases.NOW));
        } catch (IllegalStateException e) {
            return result.put("error", true);
        }
        List<String> changed = new ArrayList<>();
        for (String list : List.of("initContainers", "containers")) {
            patch.path("spec").path(list).forEach(c -> changed.add(c.path("name").stringValue()));
        }
        result.set("changedContainers", Cases.names(changed));
        result.set("pod", Patches.apply(input.path("pod"), patch));
        return result;
    }

    private static Map<String, String> annotations(JsonNode input) {
        Map<String, String> annotations = new LinkedHashMap<>();
        input.path("pod").path("metadata").path("annotations").properties()
                .forEach(e -> annotations.put(e.getKey(), e.getValue().stringValue()));
        return annotations;
    }

    private static Optional<String> require(boolean holds, String problem) {
        return holds ? Optional.empty() : Optional.of(problem);
    }

    private static boolean hasNull(JsonNode input) {
        JsonNode annotations = input.path("pod").path("metadata").path("annotations");
        String state = Json.text(annotations, Wire.IN_PLACE_STATE);
        JsonNode read = Json.tryRead(state).orElse(Json.object());
        return Json.text(annotations, Wire.HASH).equals("null") || read.isNull() || read.path(Cases.set(input).name()).isNull();
    }

    private static boolean changesForm(JsonNode input) {
        JsonNode annotations = input.path("pod").path("metadata").path("annotations");
        return HashAnnotation.of(Json.text(annotations, Wire.HASH)).form() != HashAnnotation.Form.PRESENT;
    }

    /** Trap L mended: names are keys, no hash is lost, nothing crosses between the maps. */
    private static Optional<String> everyEntryIsNamedByItsKey(JsonNode input, JsonNode expect, JsonNode result) {
        JsonNode before = input.path("pod").path("metadata").path("annotations");
        JsonNode after = result.path("pod").path("metadata").path("annotations");
        String set = Cases.set(input).name();
        for (String key : List.of(Wire.HASH, Wire.HASH_WITHOUT_IMAGE)) {
            HashAnnotation old = HashAnnotation.of(Json.text(before, key));
            HashAnnotation now = HashAnnotation.of(Json.text(after, key));
            if (old.texts().entrySet().stream()
                    .anyMatch(e -> !(key.equals(Wire.HASH) && e.getKey().equals(set))
                            && !now.readable().getOrDefault(e.getKey(), HashAnnotation.Entry.EMPTY).hash().equals(e.getValue()))) {
                return Optional.of("a hash was lost in " + key);
            }
            if (!Set.of(now.entries().keySet().toArray()).equals(names(old, key, set))) {
                return Optional.of("entries were added or dropped in " + key);
            }
            boolean rewritten = !Json.text(before, key).equals(Json.text(after, key));
            if (rewritten && now.entries().entrySet().stream()
                    .anyMatch(e -> !old.entries().getOrDefault(e.getKey(), HashAnnotation.Entry.EMPTY).equals(e.getValue())
                            && !e.getValue().sidecarSetName().equals(e.getKey()))) {
                return Optional.of("an entry is not named by its key in " + key);
            }
        }
        return imagesAsRecorded(expect, result);
    }

    private static Set<String> names(HashAnnotation old, String key, String set) {
        Set<String> names = new HashSet<>(old.entries().keySet());
        if (key.equals(Wire.HASH)) {
            names.add(set);
        }
        return names;
    }

    private static Optional<String> imagesAsRecorded(JsonNode expect, JsonNode result) {
        return require(expect.has("panic") || expect.path("pod").path("spec").equals(result.path("pod").path("spec")), "images differ");
    }

    /** A hot container whose idle twin has the wanted image already while the working one has yet another. */
    private static boolean workingTwinMayBeUnsound(JsonNode input) {
        SidecarSet set = Cases.set(input);
        PodView pod = PodViews.of(input.path("pod"));
        return set.containers().stream().filter(c -> c.isHot()).anyMatch(c -> {
            HotTwins twins = HotTwins.of(c, pod.marks().working());
            return HotTwins.image(pod, twins.idle()).equals(c.image()) && !HotTwins.image(pod, twins.working()).equals(twins.emptyImage());
        });
    }

    /** Trap A mended: images as recorded, and each hot container works in a twin that has the wanted image. */
    private static Optional<String> soundTwinWorks(JsonNode input, JsonNode expect, JsonNode result) {
        SidecarSet set = Cases.set(input);
        PodView after = PodViews.of(result.path("pod"));
        return require(HotTwins.of(set, after).stream()
                .allMatch(t -> set.containers().stream().anyMatch(
                        c -> c.name().equals(t.name()) && c.image().equals(HotTwins.image(after, t.working())))),
                "the working twin has another image").or(() -> imagesAsRecorded(expect, result));
    }
}

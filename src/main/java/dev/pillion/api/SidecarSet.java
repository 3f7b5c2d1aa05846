package dev.pillion.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An immutable SidecarSet in its v1beta1 form: the members that decisions read, and the raw object with everything else.
 * Members of a wrong kind count as absent; the webhooks refuse such objects before they are stored.
 *
 * @param raw the whole object as stored; never changed
 */
public record SidecarSet(String name, String uid, String resourceVersion, long generation, String creationTimestamp, boolean deleting,
        Map<String, String> labels, Map<String, String> annotations, Optional<LabelSelector> selector,
        Optional<LabelSelector> namespaceSelector,
        List<SidecarContainer> initContainers, List<SidecarContainer> containers, List<ObjectNode> volumes, UpdateStrategy updateStrategy,
        InjectionStrategy injectionStrategy, List<String> imagePullSecrets, OptionalInt revisionHistoryLimit,
        List<PatchPodMetadata> patchPodMetadata,
        String customVersion, SetStatus status, ObjectNode raw) {

    /**
     * One entry of spec.patchPodMetadata; the policy is kept as text.
     *
     * @param annotations in the order in which they are written, so that every process goes through them alike
     */
    public record PatchPodMetadata(Map<String, String> annotations, String patchPolicy) {
        public PatchPodMetadata {
            annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
        }
    }

    public SidecarSet {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
        volumes = List.copyOf(volumes);
        imagePullSecrets = List.copyOf(imagePullSecrets);
        patchPodMetadata = List.copyOf(patchPodMetadata);
    }

    public SetKey key() {
        return new SetKey(name);
    }

    /** Annotation value, "" when missing: two missing ones are equal (rollout.md 0). */
    public String hash() {
        return annotations.getOrDefault(Wire.HASH, "");
    }

    public String hashWithoutImage() {
        return annotations.getOrDefault(Wire.HASH_WITHOUT_IMAGE, "");
    }

    /** Name of the base set when this one is a canary (api.md 4.1). */
    public Optional<String> canaryOf() {
        String base = annotations.getOrDefault(Wire.BASE, "");
        return annotations.getOrDefault(Wire.CANARY, "").equals("true") && !base.isEmpty() ? Optional.of(base) : Optional.empty();
    }

    /** Reads a v1beta1 object. The tree is kept, so the caller must not change it afterwards. */
    public static SidecarSet of(ObjectNode raw) {
        JsonNode metadata = raw.path("metadata");
        JsonNode spec = raw.path("spec");
        List<ObjectNode> volumes = new ArrayList<>();
        spec.path("volumes").forEach(v -> {
            if (v instanceof ObjectNode volume) {
                volumes.add(volume);
            }
        });
        List<String> secrets = new ArrayList<>();
        spec.path("imagePullSecrets").forEach(s -> secrets.add(Json.text(s, "name")));
        List<PatchPodMetadata> patches = new ArrayList<>();
        spec.path("patchPodMetadata")
                .forEach(p -> patches.add(new PatchPodMetadata(texts(p.path("annotations")), Json.text(p, "patchPolicy"))));
        JsonNode limit = spec.path("revisionHistoryLimit");
        JsonNode created = metadata.path("creationTimestamp");
        return new SidecarSet(Json.text(metadata, "name"), Json.text(metadata, "uid"), Json.text(metadata, "resourceVersion"),
                metadata.path("generation").asLong(0), created.isString() ? created.stringValue() : "",
                metadata.path("deletionTimestamp").isString(),
                texts(metadata.path("labels")), texts(metadata.path("annotations")), selector(spec.path("selector")),
                selector(spec.path("namespaceSelector")), containers(spec.path("initContainers")), containers(spec.path("containers")),
                volumes,
                UpdateStrategy.of(spec.path("updateStrategy")), InjectionStrategy.of(spec.path("injectionStrategy")), secrets,
                limit.isIntegralNumber() && limit.canConvertToInt() ? OptionalInt.of(limit.intValue()) : OptionalInt.empty(), patches,
                Json.text(spec, "customVersion"),
                SetStatus.of(raw.path("status")), raw);
    }

    private static Optional<LabelSelector> selector(JsonNode node) {
        return node.isObject() ? Optional.of(LabelSelector.of(node)) : Optional.empty();
    }

    private static List<SidecarContainer> containers(JsonNode list) {
        List<SidecarContainer> containers = new ArrayList<>();
        for (JsonNode item : list) {
            if (item instanceof ObjectNode container) {
                containers.add(SidecarContainer.of(container));
            }
        }
        return containers;
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> map = new LinkedHashMap<>();
        object.properties().forEach(e -> {
            if (e.getValue().isString()) {
                map.put(e.getKey(), e.getValue().stringValue());
            }
        });
        return map;
    }
}

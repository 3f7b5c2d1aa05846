package dev.pillion.revision;

import java.util.List;
import java.util.Optional;

import dev.pillion.api.GoJson;
import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a ControllerRevision records of a set: five members of the spec, as bytes other controllers compare (rollout.md 3.1). */
public final class RevisionData {
    private record Part(String member, String type) {
    }

    private static final List<Part> PARTS = List.of(new Part("containers", "[]SidecarContainer"),
            new Part("imagePullSecrets", "[]LocalObjectReference"), new Part("initContainers", "[]SidecarContainer"),
            new Part("patchPodMetadata", "[]SidecarSetPatchPodMetadata"), new Part("volumes", "[]Volume"));

    private RevisionData() {
    }

    /** Names of the recorded members of the spec. */
    static List<String> members() {
        return PARTS.stream().map(Part::member).toList();
    }

    /** The data text for a spec of v1beta1: typed encoding, then through an untyped map, so keys are sorted on every level. */
    public static String of(JsonNode spec) {
        StringBuilder out = new StringBuilder("{\"spec\":{\"$patch\":\"replace\"");
        for (Part part : PARTS) {
            JsonNode value = spec.path(part.member);
            out.append(",\"").append(part.member).append("\":");
            out.append(value.isArray() && !value.isEmpty()
                    ? GoJson.encodeThroughFloats(Json.read(GoJson.encodeTyped(value, part.type, MemberTable.V1BETA1)))
                    : "null");
        }
        return out.append("}}").toString();
    }

    /**
     * Data of any writer in our own bytes: key order, escapes, and null or missing members no longer matter (rollout.md 16.2 S). Text
     * that is no revision of a set stays as it is.
     */
    static String canonical(String data) {
        Optional<JsonNode> spec = Json.tryRead(data).map(d -> d.path("spec")).filter(JsonNode::isObject);
        return spec.map(RevisionData::of).orElse(data);
    }

    /** The recorded members that are set, as a spec of v1beta1. Empty when the text is no revision of a set. */
    static Optional<ObjectNode> spec(String data) {
        JsonNode recorded = Json.tryRead(data).map(d -> d.path("spec")).orElse(Json.NODES.missingNode());
        if (!recorded.isObject()) {
            return Optional.empty();
        }
        ObjectNode spec = Json.object();
        for (Part part : PARTS) {
            JsonNode value = recorded.path(part.member);
            if (!value.isMissingNode() && !value.isNull()) {
                spec.set(part.member, value.deepCopy());
            }
        }
        return Optional.of(spec);
    }
}

package dev.pillion.inject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.TypedDecode;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The pod of a request as it came; nothing here changes it. What is asked for more than once is looked up once. For one thread. */
final class RawPod {
    private final ObjectNode raw;
    private final JsonNode metadata;
    private final JsonNode spec;
    private final String namespace;
    private final Map<String, String> labels;
    private final Map<String, String> annotations;
    private final Map<String, List<JsonNode>> lists = new HashMap<>();

    private RawPod(ObjectNode raw, String requested) {
        this.raw = raw;
        this.metadata = raw.path("metadata");
        this.spec = raw.path("spec");
        String own = Json.text(metadata, "namespace");
        String wanted = own.isEmpty() ? requested : own;
        this.namespace = wanted.isEmpty() ? "default" : wanted;
        this.labels = Parts.texts(metadata, "labels");
        this.annotations = Parts.texts(metadata, "annotations");
    }

    /** Refuses what the reference cannot decode. */
    static RawPod of(InjectRequest request) throws RefusedException {
        ObjectNode raw = request.pod();
        Optional<TypedDecode.Misfit> misfit = TypedDecode.check(raw.path("metadata"), "ObjectMeta", MemberTable.POD, "metadata")
                .or(() -> TypedDecode.check(raw.path("spec"), "PodSpec", MemberTable.POD, "spec"))
                .or(() -> TypedDecode.check(raw.path("status"), "PodStatus", MemberTable.POD, "status"));
        if (misfit.isPresent()) {
            throw new RefusedException(400, Reason.UNDECODABLE,
                    "the Pod cannot be decoded: " + misfit.get().path() + " " + misfit.get().text());
        }
        return new RawPod(raw, request.namespace());
    }

    ObjectNode raw() {
        return raw;
    }

    JsonNode metadata() {
        return metadata;
    }

    JsonNode spec() {
        return spec;
    }

    String namespace() {
        return namespace;
    }

    Map<String, String> labels() {
        return labels;
    }

    Map<String, String> annotations() {
        return annotations;
    }

    /** The elements of a list of the spec; none when it is absent. */
    List<JsonNode> list(String member) {
        List<JsonNode> known = lists.get(member);
        if (known == null) {
            known = items(spec.path(member));
            lists.put(member, known);
        }
        return known;
    }

    private static List<JsonNode> items(JsonNode list) {
        if (list.isEmpty()) {
            return List.of();
        }
        List<JsonNode> items = new ArrayList<>(list.size());
        list.forEach(items::add);
        return Collections.unmodifiableList(items);
    }

    /** The first volume of this name. */
    Optional<JsonNode> volume(String name) {
        if (Parts.mayHave(spec, "volumes", name)) {
            for (JsonNode volume : spec.path("volumes")) {
                if (Parts.name(volume).equals(name)) {
                    return Optional.of(volume);
                }
            }
        }
        return Optional.empty();
    }

    boolean isActive() {
        String phase = Json.text(raw.path("status"), "phase");
        return Parts.isAbsent(metadata.path("deletionTimestamp")) && !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    /** The name for messages; a generated one is not known yet. */
    String describe() {
        String name = Json.text(metadata, "name");
        return namespace + "/" + (name.isEmpty() ? Json.text(metadata, "generateName") + "*" : name);
    }
}

package dev.pillion.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.TypedDecode;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The pod of a request as it came; nothing here changes it. */
record RawPod(ObjectNode raw, String namespace, Map<String, String> labels, Map<String, String> annotations) {

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
        JsonNode metadata = raw.path("metadata");
        String own = Json.text(metadata, "namespace");
        String namespace = own.isEmpty() ? request.namespace() : own;
        return new RawPod(raw, namespace.isEmpty() ? "default" : namespace, Parts.texts(metadata, "labels"),
                Parts.texts(metadata, "annotations"));
    }

    JsonNode metadata() {
        return raw.path("metadata");
    }

    JsonNode spec() {
        return raw.path("spec");
    }

    List<JsonNode> list(String member) {
        List<JsonNode> items = new ArrayList<>();
        spec().path(member).forEach(items::add);
        return items;
    }

    /** The first volume of this name. */
    Optional<JsonNode> volume(String name) {
        if (Parts.mayHave(spec(), "volumes", name)) {
            for (JsonNode volume : spec().path("volumes")) {
                if (Parts.name(volume).equals(name)) {
                    return Optional.of(volume);
                }
            }
        }
        return Optional.empty();
    }

    boolean isActive() {
        String phase = Json.text(raw.path("status"), "phase");
        return Parts.isAbsent(metadata().path("deletionTimestamp")) && !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    /** The name for messages; a generated one is not known yet. */
    String describe() {
        String name = Json.text(metadata(), "name");
        return namespace + "/" + (name.isEmpty() ? Json.text(metadata(), "generateName") + "*" : name);
    }
}

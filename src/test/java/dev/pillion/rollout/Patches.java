package dev.pillion.rollout;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies the patches of {@link PodPatch} as the API server does: lists of objects merge by name or type, nothing is reordered. */
final class Patches {
    private Patches() {
    }

    /** The patched copy; uid and resourceVersion are preconditions and stay out of it. */
    static ObjectNode apply(JsonNode pod, JsonNode patch) {
        ObjectNode copy = (ObjectNode) pod.deepCopy();
        JsonNode body = patch.deepCopy();
        if (body.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("uid");
            metadata.remove("resourceVersion");
        }
        merge(copy, body);
        return copy;
    }

    private static void merge(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(e -> {
            JsonNode value = e.getValue();
            if (value.isNull()) {
                target.remove(e.getKey());
            } else if (value.isObject()) {
                merge(target.get(e.getKey()) instanceof ObjectNode present ? present : target.putObject(e.getKey()), value);
            } else if (value.isArray()) {
                JsonNode list = target.path(e.getKey()).isArray() ? target.path(e.getKey()) : target.putArray(e.getKey());
                value.forEach(item -> mergeItem(list, item));
            } else {
                target.set(e.getKey(), value);
            }
        });
    }

    private static void mergeItem(JsonNode list, JsonNode item) {
        String key = item.has("type") ? "type" : "name";
        for (JsonNode present : list) {
            if (Json.text(present, key).equals(Json.text(item, key))) {
                merge((ObjectNode) present, item);
                return;
            }
        }
        ObjectNode added = Json.object();
        merge(added, item);
        ((tools.jackson.databind.node.ArrayNode) list).add(added);
    }
}

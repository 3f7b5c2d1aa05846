package dev.pillion.sandbox;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** RFC 7386: objects are merged, null removes, everything else replaces. */
final class MergePatch {

    private MergePatch() {
    }

    /** Answers a changed copy. */
    static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        ObjectNode result = target instanceof ObjectNode there ? there.deepCopy() : Trees.object();
        changes.properties().forEach(entry -> {
            if (entry.getValue().isNull()) {
                result.remove(entry.getKey());
            } else {
                result.set(entry.getKey(), apply(result.path(entry.getKey()), entry.getValue()));
            }
        });
        return result;
    }
}

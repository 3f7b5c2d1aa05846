package dev.pillion.validate;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Trap 1: what is not defaulted in a set, because that would change hashes or what is stored, but is asked for: members of startup probes,
 * and the pull policy of image volumes (core-validation.md 2). The defaults are filled in on the copy that validation sees and stored
 * nowhere; the API server fills them in when the pod is created.
 */
final class MissingDefaults {
    private MissingDefaults() {
    }

    static JsonNode defaulted(JsonNode spec) {
        if (!spec.isObject()) {
            return spec;
        }
        JsonNode copy = spec.deepCopy();
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : copy.path(list)) {
                if (container.path("startupProbe") instanceof ObjectNode probe) {
                    fill(probe);
                }
            }
        }
        for (JsonNode volume : copy.path("volumes")) {
            if (volume.path("image") instanceof ObjectNode image && Node.text(image, "pullPolicy").isEmpty()) {
                // Which one it becomes depends on the tag; all are valid.
                image.put("pullPolicy", "IfNotPresent");
            }
        }
        return copy;
    }

    private static void fill(ObjectNode probe) {
        if (Node.number(probe, "successThreshold") == 0) {
            probe.put("successThreshold", 1);
        }
        if (probe.path("httpGet") instanceof ObjectNode get) {
            if (Node.text(get, "path").isEmpty()) {
                get.put("path", "/");
            }
            if (Node.text(get, "scheme").isEmpty()) {
                get.put("scheme", "HTTP");
            }
        }
    }
}

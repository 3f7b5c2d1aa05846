package dev.pillion.validate;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Trap 1: startup probes are not defaulted, because that would change hashes, but they are validated. The defaults are filled in on the
 * copy that validation sees and stored nowhere; the API server fills them in when the pod is created.
 */
final class StartupProbes {
    private StartupProbes() {
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

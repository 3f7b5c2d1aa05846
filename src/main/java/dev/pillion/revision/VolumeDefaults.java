package dev.pillion.revision;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of one volume of a set (validation.md 3.3). Changes the given object. */
final class VolumeDefaults {
    private static final int READABLE = 0644;
    private static final int HOUR = 3600;

    private VolumeDefaults() {
    }

    static void apply(ObjectNode volume) {
        // A source this version does not know is a source too (api.md trap 7).
        if (volume.propertyNames().stream().allMatch("name"::equals)) {
            volume.putObject("emptyDir");
        }
        if (volume.path("hostPath") instanceof ObjectNode hostPath && !hostPath.has("type")) {
            hostPath.put("type", "");
        }
        for (String source : List.of("secret", "configMap", "downwardAPI", "projected")) {
            if (volume.path(source) instanceof ObjectNode object && !object.has("defaultMode")) {
                object.put("defaultMode", READABLE);
            }
        }
        volume.path("downwardAPI").path("items").forEach(ContainerDefaults::fieldRef);
        for (JsonNode source : volume.path("projected").path("sources")) {
            source.path("downwardAPI").path("items").forEach(ContainerDefaults::fieldRef);
            if (source.path("serviceAccountToken") instanceof ObjectNode token && !token.has("expirationSeconds")) {
                token.put("expirationSeconds", HOUR);
            }
        }
    }
}

package dev.pillion.inject;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;

/** The webhook's step of the readiness gate (neighbours.md 2.1). */
final class ReadinessGate {
    private ReadinessGate() {
    }

    /** Whether the pod gets an entry it does not have yet. */
    static boolean isMissing(RawPod pod, InjectOptions.ReadinessGate gate) {
        boolean applies = switch (gate) {
            case ALL -> true;
            case OWNED -> isOwned(pod);
            case OFF -> false;
        };
        if (!applies) {
            return false;
        }
        for (JsonNode entry : pod.spec().path("readinessGates")) {
            if (Json.text(entry, "conditionType").equals(Wire.READY_GATE)) {
                return false;
            }
        }
        return true;
    }

    /** The first controller reference decides; a version without group belongs to no group. */
    private static boolean isOwned(RawPod pod) {
        for (JsonNode owner : pod.metadata().path("ownerReferences")) {
            if (owner.path("controller").asBoolean(false)) {
                String version = Json.text(owner, "apiVersion");
                int slash = version.indexOf('/');
                return slash >= 0 && version.substring(0, slash).equals(Wire.GROUP);
            }
        }
        return false;
    }
}

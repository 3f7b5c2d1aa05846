package dev.pillion.validate;

import java.util.Map;
import java.util.Optional;

import dev.pillion.api.SidecarSet;

import tools.jackson.databind.node.ObjectNode;

/**
 * What is to be judged.
 *
 * @param object the set in its v1beta1 form (a v1alpha1 request is converted before)
 * @param old the set before, for an update
 * @param pinned what was found of the revision that spec.injectionStrategy.revision names
 * @param configMap data of kruise-configuration; empty when it does not exist
 * @param configNamespace where that ConfigMap lives, for texts
 * @param base the base set of a canary, read live because the index does not hold it (validation.md trap 22)
 */
public record ValidationRequest(Operation operation, ObjectNode object, Optional<ObjectNode> old, Pinned pinned,
        Optional<Map<String, String>> configMap, String configNamespace, Optional<SidecarSet> base) {

    public ValidationRequest {
        configMap = configMap.map(Map::copyOf);
    }

    /** The request when the index holds all sets there are. */
    public ValidationRequest(Operation operation, ObjectNode object, Optional<ObjectNode> old, Pinned pinned,
            Optional<Map<String, String>> configMap, String configNamespace) {
        this(operation, object, old, pinned, configMap, configNamespace, Optional.empty());
    }

    public enum Operation {
        CREATE, UPDATE
    }

    /** The pinned revision, looked up by the caller. */
    public enum Pinned {
        /** Found, or nothing is pinned. */
        FOUND, NOT_FOUND, NOT_RESTORABLE,
        /** Found, but it belongs to another set (api.md trap 18). */
        OF_ANOTHER_SET
    }
}

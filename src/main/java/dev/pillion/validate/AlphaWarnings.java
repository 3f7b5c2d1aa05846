package dev.pillion.validate;

import java.util.List;

import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;

/** Warnings about what only the v1alpha1 form of a set can say. */
public final class AlphaWarnings {
    private AlphaWarnings() {
    }

    /** What to tell whoever writes this object; empty for v1beta1. Both members come back as written, but only one counts (api.md trap 11). */
    public static List<String> of(JsonNode object) {
        JsonNode spec = object.path("spec");
        String namespace = Node.text(spec, "namespace");
        return Node.text(object, "apiVersion").equals(Wire.V1ALPHA1) && !namespace.isEmpty() && Node.isSet(spec, "namespaceSelector")
                ? List.of("spec.namespaceSelector has no effect beside spec.namespace: only pods of namespace " + Faults.quoted(namespace)
                        + " get the sidecars")
                : List.of();
    }
}

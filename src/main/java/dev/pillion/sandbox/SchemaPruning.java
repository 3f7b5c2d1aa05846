package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Drops what the schema does not specify, except inside of x-kubernetes-preserve-unknown-fields, and remembers the paths. */
final class SchemaPruning {
    private static final Set<String> OBJECT_MEMBERS = Set.of("apiVersion", "kind", "metadata");
    private final List<String> dropped = new ArrayList<>();

    private SchemaPruning() {
    }

    /** Prunes a whole custom object in place and answers the paths that are gone, such as `spec.containers[0].foo`. */
    static List<String> prune(ObjectNode object, Schema schema) {
        SchemaPruning pruning = new SchemaPruning();
        pruning.members(object, schema, "", true);
        return pruning.dropped;
    }

    private void value(JsonNode value, Schema schema, String path) {
        switch (value) {
            case ObjectNode object -> members(object, schema, path, schema.isEmbedded());
            case ArrayNode _ when schema.keepsUnknown() && schema.items().node().isMissingNode() -> {
                // a list without a schema of its own, kept as it is
            }
            case ArrayNode list -> {
                for (int i = 0; i < list.size(); i++) {
                    value(list.get(i), schema.items(), path + "[" + i + "]");
                }
            }
            default -> {
                // plain values are left to validation
            }
        }
    }

    private void members(ObjectNode object, Schema schema, String path, boolean isWhole) {
        for (String name : List.copyOf(object.propertyNames())) {
            if (isWhole && OBJECT_MEMBERS.contains(name)) {
                continue;
            }
            String here = path.isEmpty() ? name : path + "." + name;
            if (schema.knows(name) || schema.isMap()) {
                value(object.path(name), schema.member(name), here);
            } else if (!schema.keepsUnknown()) {
                object.remove(name);
                dropped.add(here);
            }
        }
    }
}

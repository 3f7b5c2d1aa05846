package dev.pillion.sandbox;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in the schema's defaults: members that lack, and null where null is not allowed. Objects that lack stay away, whatever defaults they hold inside. */
final class SchemaDefaults {
    private SchemaDefaults() {
    }

    static void apply(JsonNode value, Schema schema) {
        switch (value) {
            case ObjectNode object -> members(object, schema);
            case ArrayNode list -> list.forEach(entry -> apply(entry, schema.items()));
            default -> {
                // nothing inside
            }
        }
    }

    private static void members(ObjectNode object, Schema schema) {
        schema.node().path("properties").properties().forEach(property -> {
            JsonNode defaultValue = property.getValue().path("default");
            if (defaultValue.isMissingNode()) {
                return;
            }
            JsonNode there = object.path(property.getKey());
            if (there.isMissingNode() || (there.isNull() && !new Schema(property.getValue()).isNullable())) {
                object.set(property.getKey(), defaultValue.deepCopy());
            }
        });
        for (String name : List.copyOf(object.propertyNames())) {
            Schema member = schema.member(name);
            JsonNode there = object.path(name);
            if (there.isNull() && !member.node().isMissingNode() && !member.isNullable() && schema.knows(name)) {
                object.remove(name);
            } else {
                apply(there, member);
            }
        }
    }
}

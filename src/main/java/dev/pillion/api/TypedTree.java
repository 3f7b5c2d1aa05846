package dev.pillion.api;

import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON tree seen through the reference's types: either only what they know, or tidied with everything else kept. */
public final class TypedTree {
    private TypedTree() {
    }

    /** What the typed structs make of a value: unknown members dropped, zero values added or left out as Go encodes them. */
    public static JsonNode known(JsonNode value, String type, MemberTable table) {
        return Json.read(GoJson.encodeTyped(value, type, table));
    }

    /**
     * A copy in the reference's spelling that loses nothing (api.md trap 7): quantities as api.md 6.1 prints them, null members left
     * out, null entries of lists made empty objects, required members that are absent added when they have a value of their own
     * ("divisor":"0"). Unknown members stay.
     */
    public static JsonNode tidy(JsonNode value, String type, MemberTable table) {
        return tidy(value, table.type(type), table);
    }

    private static JsonNode tidy(JsonNode value, GoType type, MemberTable table) {
        return switch (type) {
            case GoType.Leaf leaf -> tidyLeaf(value, leaf);
            case GoType.Raw _ -> value;
            case GoType.Pointer(GoType target) -> value.isNull() ? value : tidy(value, target, table);
            case GoType.ListOf(GoType item) -> {
                if (!value.isArray()) {
                    yield value;
                }
                ArrayNode copy = Json.NODES.arrayNode();
                value.forEach(v -> copy.add(tidy(v, item, table)));
                yield copy;
            }
            case GoType.MapOf(GoType item) -> {
                if (!value.isObject()) {
                    yield value;
                }
                ObjectNode copy = Json.object();
                value.properties().forEach(e -> copy.set(e.getKey(), tidy(e.getValue(), item, table)));
                yield copy;
            }
            case GoType.Struct(String name) -> tidyStruct(value, name, table);
        };
    }

    private static JsonNode tidyLeaf(JsonNode value, GoType.Leaf leaf) {
        if (TypedDecode.fits(value, leaf) && leaf != GoType.Leaf.QUANTITY) {
            return value;
        }
        return switch (leaf) {
            case QUANTITY -> Json.NODES.stringNode(TypedDecode.quantity(value).map(Object::toString).orElse("0"));
            case TEXT -> Json.NODES.stringNode("");
            case BOOL -> Json.NODES.booleanNode(false);
            case INT32, INT64, INT_OR_STRING -> Json.NODES.numberNode(0);
            case TIME -> Json.NODES.nullNode();
        };
    }

    private static ObjectNode tidyStruct(JsonNode value, String name, MemberTable table) {
        ObjectNode copy = Json.object();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            GoType type = table.member(name, entry.getKey()).map(MemberTable.Member::type).orElse(new GoType.Raw());
            if (!entry.getValue().isNull() || type instanceof GoType.Raw) {
                copy.set(entry.getKey(), tidy(entry.getValue(), type, table));
            }
        }
        for (MemberTable.Member member : table.members(name)) {
            boolean wanted = !member.omitEmpty() && member.type() instanceof GoType.Leaf && member.type() != GoType.Leaf.TIME;
            if (wanted && !copy.has(member.name())) {
                copy.set(member.name(), tidyLeaf(Json.NODES.missingNode(), (GoType.Leaf) member.type()));
            }
        }
        return copy;
    }
}

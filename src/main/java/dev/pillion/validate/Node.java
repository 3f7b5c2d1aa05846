package dev.pillion.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.api.Json;
import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/** Reads members as the rules count them: null equals absence, absent numbers are 0 (core-validation.md 1, 12.5). */
final class Node {
    private Node() {
    }

    static boolean isSet(JsonNode object, String member) {
        JsonNode value = object.path(member);
        return !value.isMissingNode() && !value.isNull();
    }

    static String text(JsonNode object, String member) {
        return Json.text(object, member);
    }

    static long number(JsonNode object, String member) {
        return object.path(member).asLong(0);
    }

    static boolean isTrue(JsonNode object, String member) {
        return object.path(member).asBoolean(false);
    }

    /** Whether a boolean member is given as false. */
    static boolean isFalse(JsonNode object, String member) {
        return object.path(member).isBoolean() && !object.path(member).booleanValue();
    }

    /** The elements of a list; a null element counts as an empty object and keeps its place. */
    static List<JsonNode> items(JsonNode object, String member) {
        List<JsonNode> items = new ArrayList<>();
        for (JsonNode item : object.path(member)) {
            items.add(item.isNull() ? Json.object() : item);
        }
        return items;
    }

    static List<String> texts(JsonNode object, String member) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : object.path(member)) {
            texts.add(item.isString() ? item.stringValue() : "");
        }
        return texts;
    }

    /** Members of a map in their order; a null value counts as missing node, the key is there. */
    static List<Map.Entry<String, JsonNode>> entries(JsonNode object, String member) {
        return List.copyOf(object.path(member).properties());
    }

    /** A quantity as text or number, blanks around it cut; absent is 0. Unreadable ones were refused when the object was decoded. */
    static Quantity quantity(JsonNode value) {
        return Quantity.parse(value.asString("0").strip()).orElse(Quantity.ZERO);
    }

    static boolean isOutside(long value, long from, long to) {
        return value < from || value > to;
    }
}

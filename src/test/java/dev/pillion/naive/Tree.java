package dev.pillion.naive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Small readings of plain JSON trees; what is absent, null or of another kind is empty. */
final class Tree {
    private Tree() {
    }

    static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    static ArrayNode array(List<JsonNode> items) {
        ArrayNode array = JsonMapper.shared().createArrayNode();
        items.forEach(array::add);
        return array;
    }

    static JsonNode parse(String text) {
        return JsonMapper.shared().readTree(text);
    }

    static boolean isJson(String text) {
        try {
            return !parse(text).isMissingNode();
        } catch (JacksonException e) {
            return false;
        }
    }

    static String text(JsonNode object, String member) {
        return object.path(member).stringValue("");
    }

    static String name(JsonNode object) {
        return text(object, "name");
    }

    static List<JsonNode> list(JsonNode object, String member) {
        List<JsonNode> items = new ArrayList<>();
        object.path(member).forEach(items::add);
        return items;
    }

    static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties().forEach(e -> texts.put(e.getKey(), e.getValue().stringValue("")));
        return texts;
    }

    static boolean has(List<JsonNode> items, String member, String value) {
        return items.stream().anyMatch(i -> text(i, member).equals(value));
    }

    static List<JsonNode> where(List<JsonNode> items, Predicate<JsonNode> kept) {
        return new ArrayList<>(items.stream().filter(kept).toList());
    }

    /** Puts a list in place; an empty one that was not there stays away. */
    static void set(ObjectNode object, String member, List<JsonNode> items) {
        if (!items.isEmpty() || object.path(member).isArray()) {
            object.set(member, array(items));
        }
    }

    static String quote(String text) {
        return JsonMapper.shared().writeValueAsString(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }
}

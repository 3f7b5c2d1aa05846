package dev.pillion.sandbox;

import java.time.Instant;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One column of a Table.
 *
 * @param priority 0 is always shown, 1 with -o wide
 */
record Column(String name, String type, String format, String description, int priority, Cell cell) {

    /** Makes the value of one row; null leaves it empty. */
    interface Cell {
        @Nullable
        JsonNode of(JsonNode object, Instant now);
    }

    static Column named() {
        return new Column("Name", "string", "name", "Name of the object, unique in its namespace", 0,
                (object, _) -> string(Trees.name(object)));
    }

    static Column age() {
        return new Column("Age", "string", "", "Time since the object was made", 0,
                (object, now) -> string(Ages.since(Trees.text(object, "metadata", "creationTimestamp"), now)));
    }

    static Column createdAt() {
        return new Column("Created At", "date", "", "When the object was made", 0,
                (object, _) -> string(Trees.text(object, "metadata", "creationTimestamp")));
    }

    static Column text(String name, Function<JsonNode, String> value) {
        return new Column(name, "string", "", name, 0, (object, _) -> string(value.apply(object)));
    }

    static Column number(String name, Function<JsonNode, Long> value) {
        return new Column(name, "integer", "", name, 0, (object, _) -> JsonNodeFactory.instance.numberNode(value.apply(object)));
    }

    Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }

    ObjectNode definition() {
        return Trees.object().put("name", name).put("type", type).put("format", format).put("description", description).put("priority",
                priority);
    }

    static JsonNode string(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }

    /** The text at the path, or another one when there is none. */
    static String orElse(JsonNode object, String otherwise, String... path) {
        String text = Trees.text(object, path);
        return text.isEmpty() ? otherwise : text;
    }

    static long count(JsonNode object, String... path) {
        return Trees.number(Trees.at(object, path), 0);
    }

    /** The named member of each entry, joined by commas. */
    static String joined(JsonNode list, String member) {
        StringBuilder text = new StringBuilder();
        for (JsonNode entry : list instanceof ArrayNode ? list : Trees.array()) {
            text.append(text.isEmpty() ? "" : ",").append(Trees.text(entry, member));
        }
        return text.toString();
    }
}

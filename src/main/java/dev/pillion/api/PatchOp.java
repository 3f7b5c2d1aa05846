package dev.pillion.api;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One operation of a JSON Patch (RFC 6902). path is a JSON pointer, already escaped. */
public record PatchOp(String op, String path, Optional<JsonNode> value) {

    public static PatchOp add(String path, JsonNode value) {
        return new PatchOp("add", path, Optional.of(value));
    }

    public static PatchOp replace(String path, JsonNode value) {
        return new PatchOp("replace", path, Optional.of(value));
    }

    public static PatchOp remove(String path) {
        return new PatchOp("remove", path, Optional.empty());
    }

    /** Escapes one member name for use in a path. */
    public static String escape(String member) {
        return member.replace("~", "~0").replace("/", "~1");
    }

    public static ArrayNode toJson(List<PatchOp> ops) {
        ArrayNode array = Json.NODES.arrayNode();
        for (PatchOp op : ops) {
            ObjectNode node = array.addObject();
            node.put("op", op.op).put("path", op.path);
            op.value.ifPresent(v -> node.set("value", v));
        }
        return array;
    }
}

package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** RFC 6902 on trees. A document that is no patch is 400; an operation that does not fit the object is 422 without a cause, as on a real server. */
final class JsonPatch {
    private static final int MOST_OPERATIONS = 10_000;

    private JsonPatch() {
    }

    /** Answers a changed copy. */
    static JsonNode apply(JsonNode document, JsonNode patch) {
        if (!(patch instanceof ArrayNode operations)) {
            throw ApiError.badRequest("error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp");
        }
        if (operations.size() > MOST_OPERATIONS) {
            throw ApiError.of(413, "RequestEntityTooLarge",
                    "The allowed maximum operations in a JSON patch is " + MOST_OPERATIONS + ", got "
                            + operations.size());
        }
        JsonNode root = document.deepCopy();
        for (JsonNode operation : operations) {
            root = step(root, operation);
        }
        return root;
    }

    private static JsonNode step(JsonNode root, JsonNode operation) {
        List<String> path = pointer(operation.path("path"));
        JsonNode value = operation.path("value");
        return switch (Trees.text(operation, "op")) {
            case "add" -> add(root, path, required(value).deepCopy());
            case "remove" -> remove(root, path);
            case "replace" -> {
                find(root, path);
                yield path.isEmpty() ? required(value).deepCopy() : replace(root, path, required(value).deepCopy());
            }
            case "copy" -> add(root, path, find(root, pointer(operation.path("from"))).deepCopy());
            case "move" -> {
                List<String> from = pointer(operation.path("from"));
                JsonNode moved = find(root, from).deepCopy();
                yield add(remove(root, from), path, moved);
            }
            case "test" -> {
                JsonNode there = lookUp(root, path);
                boolean equal = Trees.isAbsent(there) ? Trees.isAbsent(value) : there.equals(value);
                if (!equal) {
                    throw refused();
                }
                yield root;
            }
            default -> throw refused();
        };
    }

    private static JsonNode add(JsonNode root, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        String last = path.getLast();
        switch (find(root, path.subList(0, path.size() - 1))) {
            case ObjectNode parent -> parent.set(last, value);
            case ArrayNode parent -> parent.insert("-".equals(last) ? parent.size() : index(last, parent.size()), value);
            default -> throw refused();
        }
        return root;
    }

    private static JsonNode replace(JsonNode root, List<String> path, JsonNode value) {
        switch (find(root, path.subList(0, path.size() - 1))) {
            case ObjectNode parent -> parent.set(path.getLast(), value);
            case ArrayNode parent -> parent.set(index(path.getLast(), parent.size() - 1), value);
            default -> throw refused();
        }
        return root;
    }

    private static JsonNode remove(JsonNode root, List<String> path) {
        if (path.isEmpty()) {
            throw refused();
        }
        find(root, path);
        switch (find(root, path.subList(0, path.size() - 1))) {
            case ObjectNode parent -> parent.remove(path.getLast());
            case ArrayNode parent -> parent.remove(index(path.getLast(), parent.size() - 1));
            default -> throw refused();
        }
        return root;
    }

    private static JsonNode find(JsonNode root, List<String> path) {
        JsonNode found = lookUp(root, path);
        if (found.isMissingNode()) {
            throw refused();
        }
        return found;
    }

    private static JsonNode lookUp(JsonNode root, List<String> path) {
        JsonNode at = root;
        for (String token : path) {
            at = at instanceof ArrayNode array ? array.path(isIndex(token) ? index(token, Integer.MAX_VALUE) : -1) : at.path(token);
        }
        return at;
    }

    private static boolean isIndex(String token) {
        return !token.isEmpty() && token.length() < 10 && token.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static int index(String token, int most) {
        if (!isIndex(token)) {
            throw refused();
        }
        int index = Integer.parseInt(token);
        if (index > most) {
            throw refused();
        }
        return index;
    }

    private static List<String> pointer(JsonNode text) {
        if (!text.isString()) {
            throw refused();
        }
        String pointer = text.stringValue();
        List<String> tokens = new ArrayList<>();
        if (pointer.isEmpty()) {
            return tokens;
        }
        if (pointer.charAt(0) != '/') {
            throw refused();
        }
        for (String token : List.of(pointer.substring(1).split("/", -1))) {
            tokens.add(token.replace("~1", "/").replace("~0", "~"));
        }
        return tokens;
    }

    private static JsonNode required(JsonNode value) {
        if (value.isMissingNode()) {
            throw refused();
        }
        return value;
    }

    static ApiError refused() {
        return ApiError.of(422, "Invalid", "the server rejected our request due to an error in our request", Trees.object());
    }
}

package dev.pillion.sandbox;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The sandbox's own JSON reader and writer, and null-free access to trees. The sandbox shares no code with the product it is a double for. */
final class Trees {
    static final JsonMapper MAPPER = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();

    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    private Trees() {
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    /** Reads bytes of our own store: they are always a JSON object. */
    static ObjectNode stored(byte[] bytes) {
        return (ObjectNode) MAPPER.readTree(bytes);
    }

    /** Reads a patch. Throws 400 when it is no JSON value. */
    static JsonNode body(byte[] bytes) {
        try {
            JsonNode node = MAPPER.readTree(bytes);
            if (node != null && !node.isMissingNode()) {
                return node;
            }
        } catch (JacksonException e) {
            if (!(e instanceof UnexpectedEndOfInputException)) {
                throw ApiError.badRequest("invalid JSON: " + e.getOriginalMessage());
            }
        }
        throw ApiError.badRequest("unexpected end of JSON input");
    }

    /** Reads YAML, of which JSON is a part. Throws 400 when it is neither. */
    static JsonNode yaml(byte[] bytes) {
        if (new String(bytes, StandardCharsets.UTF_8).stripLeading().startsWith("{")) {
            // Numbers keep their spelling, which the YAML reader would not promise.
            return body(bytes);
        }
        try {
            JsonNode node = YAML.readTree(bytes);
            if (node != null && !node.isMissingNode()) {
                return node;
            }
        } catch (JacksonException e) {
            throw ApiError.badRequest("error decoding YAML: " + e.getOriginalMessage());
        }
        throw ApiError.badRequest("error decoding YAML: the configuration is empty");
    }

    /** Reads the body that should be an object of the kind. Throws 400 when it is no JSON value. */
    static JsonNode body(byte[] bytes, String kind) {
        try {
            return body(bytes);
        } catch (ApiError e) {
            String shown = bytes.length == 0 ? "<empty>" : new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8);
            throw ApiError.badRequest("the object provided is unrecognized (must be of type " + kind
                    + "): couldn't get version/kind; json parse error: " + e.text() + " (" + shown + ")");
        }
    }

    /** The text at the path of members, or "" when there is none. */
    static String text(JsonNode node, String... path) {
        JsonNode at = at(node, path);
        return at.isString() ? at.stringValue() : "";
    }

    /** The node at the path of members, or a missing node. */
    static JsonNode at(JsonNode node, String... path) {
        JsonNode at = node;
        for (String member : path) {
            at = at.path(member);
        }
        return at;
    }

    static long number(JsonNode node, long otherwise) {
        return node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : otherwise;
    }

    /** The member as an object, created when it is absent or something else. */
    static ObjectNode child(ObjectNode parent, String member) {
        if (parent.path(member) instanceof ObjectNode there) {
            return there;
        }
        return parent.putObject(member);
    }

    static ObjectNode metadata(ObjectNode object) {
        return child(object, "metadata");
    }

    static String name(JsonNode object) {
        return text(object, "metadata", "name");
    }

    static String namespace(JsonNode object) {
        return text(object, "metadata", "namespace");
    }

    static boolean isAbsent(@Nullable JsonNode node) {
        return node == null || node.isMissingNode() || node.isNull();
    }

    /** Sets the member to a copy of the value, or removes it when the value is absent. */
    static void setOrRemove(ObjectNode object, String member, @Nullable JsonNode value) {
        if (value == null || isAbsent(value)) {
            object.remove(member);
        } else {
            object.set(member, value.deepCopy());
        }
    }
}

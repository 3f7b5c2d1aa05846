package dev.pillion.api;

import java.util.Optional;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The one JSON mapper of the product, and null-free access to its trees. Number text survives a round trip. */
public final class Json {
    public static final JsonMapper MAPPER = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();
    public static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {
    }

    /** Reads one JSON value. @throws JacksonException when the text is not exactly one JSON value */
    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    public static JsonNode read(byte[] text) {
        return MAPPER.readTree(text);
    }

    /** Reads one JSON value; empty when the text is none. */
    public static Optional<JsonNode> tryRead(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node == null || node.isMissingNode() ? Optional.empty() : Optional.of(node);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Compact JSON in the tree's own member order (for Go's escapes and order: GoJson). */
    public static String write(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    public static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    /** The member's text, or "" when it is absent or no string. */
    public static String text(JsonNode object, String member) {
        JsonNode value = object.path(member);
        return value.isString() ? value.stringValue() : "";
    }
}

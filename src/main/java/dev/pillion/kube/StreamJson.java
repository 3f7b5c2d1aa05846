package dev.pillion.kube;

import java.io.InputStream;

import dev.pillion.api.Json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parsers over streams that hold many values, and the rule that keeps them in step: a value of another kind than expected is skipped whole. */
final class StreamJson {
    private static final JsonMapper MAPPER = Json.MAPPER.rebuild().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();

    private StreamJson() {
    }

    static JsonParser parser(InputStream in) {
        return MAPPER.createParser(in);
    }

    static JsonParser parser(byte[] bytes) {
        return MAPPER.createParser(bytes);
    }

    /** A parser over a value that was already read. */
    static JsonParser parser(JsonNode node) {
        return MAPPER.treeAsTokens(node);
    }

    /** Reads the value the parser stands on into a tree, and ends on its last token. */
    static JsonNode tree(JsonParser parser) {
        return MAPPER.readTree(parser);
    }

    /** Moves to the value of the current member; true when it is an object, else the value is skipped. */
    static boolean entersObject(JsonParser parser) {
        return enters(parser, JsonToken.START_OBJECT);
    }

    static boolean entersArray(JsonParser parser) {
        return enters(parser, JsonToken.START_ARRAY);
    }

    private static boolean enters(JsonParser parser, JsonToken wanted) {
        if (parser.nextToken() == wanted) {
            return true;
        }
        parser.skipChildren();
        return false;
    }

    /** The text of the next value; "" when it is of another kind. */
    static String text(JsonParser parser) {
        if (parser.nextToken() == JsonToken.VALUE_STRING) {
            return parser.getString();
        }
        parser.skipChildren();
        return "";
    }

    /** Whether the next value is a text, be it empty. */
    static boolean isText(JsonParser parser) {
        JsonToken token = parser.nextToken();
        parser.skipChildren();
        return token == JsonToken.VALUE_STRING;
    }

    static boolean bool(JsonParser parser) {
        JsonToken token = parser.nextToken();
        parser.skipChildren();
        return token == JsonToken.VALUE_TRUE;
    }

    /** The next value as an int; 0 when it is no whole number of that size. */
    static int number(JsonParser parser) {
        if (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
            JsonParser.NumberType type = parser.getNumberType();
            return type == JsonParser.NumberType.INT ? parser.getIntValue() : 0;
        }
        parser.skipChildren();
        return 0;
    }

    /** Skips the value of the current member. */
    static void skip(JsonParser parser) {
        parser.nextToken();
        parser.skipChildren();
    }
}

package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonCursorTest {
    private static final List<String> TEXTS = List.of("", "a", "metadata", "\"", "\\", "{\"a\":[\"}\"]}", "\n\t\b\f\r/", "\u0001", "\u00e9",
            "\u20ac", "\ud83d\ude00", "x".repeat(300), "\\\"".repeat(40));

    /** Hands out few bytes at a time, as a slow network does. */
    private static final class Trickle extends InputStream {
        private final InputStream in;
        private final RandomGenerator random;

        Trickle(byte[] bytes, RandomGenerator random) {
            this.in = new ByteArrayInputStream(bytes);
            this.random = random;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return in.read(to, offset, Math.min(length, 1 + random.nextInt(9)));
        }
    }

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static JsonNode value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth > 4 ? 5 : 8)) {
            case 0 -> Json.NODES.stringNode(text(random));
            case 1 -> Json.NODES.numberNode(random.nextInt());
            case 2 -> Json.NODES.numberNode(random.nextDouble() * 1e30);
            case 3 -> Json.NODES.booleanNode(random.nextBoolean());
            case 4 -> Json.NODES.nullNode();
            case 5 -> {
                ArrayNode array = Json.NODES.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(value(random, depth + 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = Json.object();
                for (int i = random.nextInt(5); i > 0; i--) {
                    object.set(text(random), value(random, depth + 1));
                }
                yield object;
            }
        };
    }

    private static String text(RandomGenerator random) {
        return TEXTS.get(random.nextInt(TEXTS.size())) + (random.nextBoolean() ? "" : TEXTS.get(random.nextInt(TEXTS.size())));
    }

    /** Reads all it can with the cursor's own methods, and passes over some of it. */
    private static JsonNode read(JsonCursor json, JsonNode wanted, RandomGenerator random) {
        if (random.nextInt(9) == 0) {
            json.skip();
            return wanted;
        }
        return switch (wanted.getNodeType()) {
            case OBJECT -> {
                assertThat(json.atObject()).isTrue();
                ObjectNode object = Json.object();
                assertThat(json.entersObject()).isTrue();
                for (String name = json.nextName(); name != null; name = json.nextName()) {
                    object.set(name, read(json, wanted.path(name), random));
                }
                yield object;
            }
            case ARRAY -> {
                ArrayNode array = Json.NODES.arrayNode();
                assertThat(json.entersArray()).isTrue();
                while (json.nextItem()) {
                    array.add(read(json, wanted.path(array.size()), random));
                }
                yield array;
            }
            case STRING -> Json.NODES.stringNode(json.text());
            case BOOLEAN -> Json.NODES.booleanNode(json.bool());
            case NUMBER -> {
                int number = json.number();
                assertThat(number).isEqualTo(wanted.isInt() ? wanted.intValue() : 0);
                yield wanted;
            }
            default -> json.tree();
        };
    }

    /** Spaces where JSON allows them. */
    private static byte[] text(JsonNode value, RandomGenerator random) {
        return random.nextBoolean()
                ? Json.bytes(value)
                : value.toPrettyString().replace("\n", random.nextBoolean() ? "\n" : "\r\n\t").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsValueAfterValueHoweverTheBytesCome() throws IOException {
        for (int round = 0; round < 2000; round++) {
            RandomGenerator random = random(round);
            List<JsonNode> values = new ArrayList<>();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = random.nextInt(4); i >= 0; i--) {
                JsonNode value = value(random, 0);
                values.add(value);
                bytes.write(text(value, random));
                bytes.write('\n');
            }
            JsonCursor json = random.nextBoolean()
                    ? new JsonCursor(bytes.toByteArray())
                    : new JsonCursor(new Trickle(bytes.toByteArray(), random));

            for (JsonNode value : values) {
                assertThat(json.nextRoot()).isTrue();
                assertThat(read(json, value, random)).as("round %d", round).isEqualTo(value);
            }
            assertThat(json.nextRoot()).isFalse();
        }
    }

    @Test
    void takesAValueOfAnotherKindAsAbsentAndStaysInStep() {
        for (int round = 0; round < 500; round++) {
            RandomGenerator random = random(round);
            ArrayNode values = Json.NODES.arrayNode();
            for (int i = 0; i < 20; i++) {
                values.add(value(random, 3));
            }
            JsonCursor json = new JsonCursor(Json.bytes(values));
            assertThat(json.entersArray()).isTrue();
            for (JsonNode value : values) {
                assertThat(json.nextItem()).isTrue();
                switch (random.nextInt(5)) {
                    case 0 -> assertThat(json.text()).isEqualTo(value.isString() ? value.stringValue() : "");
                    case 1 -> assertThat(json.bool()).isEqualTo(value.isBoolean() && value.booleanValue());
                    case 2 -> assertThat(json.number()).isEqualTo(value.isInt() ? value.intValue() : 0);
                    case 3 -> assertThat(json.isText()).isEqualTo(value.isString());
                    default -> assertThat(json.isText("metadata")).isEqualTo(value.isString() && value.stringValue().equals("metadata"));
                }
            }
            assertThat(json.nextItem()).isFalse();
            assertThat(json.nextRoot()).isFalse();
        }
    }

    @Test
    void comparesATextWithEscapesByWhatItMeans() {
        assertThat(new JsonCursor("\"\\u006da\"".getBytes(StandardCharsets.UTF_8)).isText("ma")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[", "{\"a\"", "{\"a\":", "{\"a\":1", "\"a", "\"\\", "[1,", "{\"a\":{\"b\":[1,2]"})
    void aStreamThatEndsWithinAValueIsAnError(String text) {
        assertThatThrownBy(() -> readOut(text)).isInstanceOf(UncheckedIOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{1:2}", "{\"a\" 1}", "[}", "\"\\x\"", "\"\\u00g0\""})
    void whatIsNoJsonIsAnError(String text) {
        assertThatThrownBy(() -> readOut(text)).isInstanceOf(UncheckedIOException.class);
    }

    private static void readOut(String text) {
        JsonCursor json = new JsonCursor(text.getBytes(StandardCharsets.UTF_8));
        assertThat(json.nextRoot()).isTrue();
        readOut(json);
    }

    private static void readOut(JsonCursor json) {
        if (json.atObject()) {
            assertThat(json.entersObject()).isTrue();
            while (json.nextName() != null) {
                readOut(json);
            }
        } else if (json.atText()) {
            assertThat(json.text()).isNotNull();
        } else if (json.entersArray()) {
            while (json.nextItem()) {
                readOut(json);
            }
        }
    }
}

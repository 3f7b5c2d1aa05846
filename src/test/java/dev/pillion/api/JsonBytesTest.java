package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

/** Strings as the library writes them, byte for byte. */
final class JsonBytesTest {
    private static final String ALPHABET = "abcXYZ019 _-./:?\"\\\u0000\b\t\n\u001f\u007f\u0080\u00e9\u20ac\u2028\uffff{}[],<>&";

    private static String written(String text) {
        return new String(new JsonBytes(1).string(text).toBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "?", "really?", "\"", "\\", "\"\"\"\"\"\"\"\"", "{\"a\":\"b\\\\c\"}", "tab\there", "\u0000",
            "\u007f",
            "caf\u00e9", "\u20ac", "\ud83d\ude80", "a?\ud83d\ude80?b", "?\u00e9?"})
    void writesAStringLikeTheLibrary(String text) {
        assertThat(written(text)).isEqualTo(Json.write(Json.NODES.stringNode(text)));
    }

    @Test
    void writesRandomStringsLikeTheLibrary() {
        Random random = new Random(20);
        for (int i = 0; i < 5000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(40);
            for (int c = 0; c < length; c++) {
                text.append(ALPHABET.charAt(random.nextInt(random.nextBoolean() ? ALPHABET.length() : 20)));
            }
            assertThat(written(text.toString())).isEqualTo(Json.write(Json.NODES.stringNode(text.toString())));
        }
    }

    /** No encoder may put a question mark there in silence. */
    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "what?\ude80", "\ud83d?"})
    void treatsHalfACharacterLikeTheLibrary(String text) {
        assertThat(new JsonBytes(1).string(text).toBytes()).isEqualTo(Json.bytes(Json.NODES.stringNode(text)));
    }

    @Test
    void keepsWhatStandsBefore() {
        ObjectNode object = Json.object().put("a", "x?\u00e9").put("b\"", "?");
        assertThat(new String(new JsonBytes(1).plain("[").value(object).plain("]").toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("[" + Json.write(object) + "]");
    }
}

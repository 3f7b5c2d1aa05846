package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkTextsTest {
    private static final String ENTRY = "{\"a\":{\"updateTimestamp\":\"%s\",\"hash\":\"h\"}}";

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-02T03:04:05Z", "1970-01-01T00:00:00Z", "2105-12-31T23:59:59Z", "2106-01-01T00:00:00Z",
            "1969-12-31T23:59:59Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:60Z",
            "2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05+00:00", "2026-01-02t03:04:05Z", "", "2026-01-02T03:04:05Z\\u0022",
            "2026-01-02T03:04:05Zx", "\u0001"})
    void givesBackEveryText(String time) {
        String text = ENTRY.formatted(time);
        Map<String, String> texts = Map.of(Wire.HASH, text, Wire.HASH_WITHOUT_IMAGE, text + text, Wire.IN_PLACE_STATE, text,
                Wire.INJECTED_LIST, text, Wire.VERSION_PREFIX + "x", text);

        assertThat(MarkTexts.of(texts).all()).isEqualTo(texts);
    }

    @Test
    void textsThatDifferInTimesHaveOneShape() {
        MarkTexts first = texts("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z");
        MarkTexts second = texts("2027-01-02T03:04:05Z", "2026-01-02T03:04:05Z");

        MarkTexts shared = second.sharing(first);

        assertThat(shared).isEqualTo(second).isNotEqualTo(first);
        assertThat(shared.shapes()).isSameAs(first.shapes());
        assertThat(shared.text(Wire.HASH)).isEqualTo(ENTRY.formatted("2027-01-02T03:04:05Z"));
        assertThat(shared.text(Wire.IN_PLACE_STATE)).isEqualTo(ENTRY.formatted("2026-01-02T03:04:05Z"));
    }

    private static MarkTexts texts(String hash, String inPlace) {
        return MarkTexts.of(Map.of(Wire.HASH, ENTRY.formatted(hash), Wire.IN_PLACE_STATE, ENTRY.formatted(inPlace)));
    }

    /** Whoever writes what a cut text looks like must not be taken for others, nor others for him. */
    @Test
    void aTextThatLooksCutSharesNothing() {
        MarkTexts honest = texts("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z");
        MarkTexts odd = MarkTexts.of(honest.shapes());

        assertThat(odd.all()).isEqualTo(honest.shapes());
        assertThat(odd.isShareable()).isFalse();
        assertThat(odd).isNotEqualTo(honest);
        assertThatThrownBy(() -> honest.sharing(odd)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAbsentTextIsEmpty() {
        assertThat(MarkTexts.of(Map.of()).isEmpty()).isTrue();
        assertThat(texts("2026-01-02T03:04:05Z", "").text(Wire.INJECTED_LIST)).isEmpty();
    }

    @Test
    void givesBackRandomTexts() {
        Random random = new Random(1);
        List<String> pieces = List.of("\"updateTimestamp\":\"", "2026-01-02T03:04:05Z", "2026-", "\"", "{", "x", "\u0001", "é",
                "0000-00-00T00:00:00Z");
        for (int i = 0; i < 2000; i++) {
            Map<String, String> texts = new HashMap<>();
            for (String key : List.of(Wire.HASH, Wire.HASH_WITHOUT_IMAGE, Wire.IN_PLACE_STATE, Wire.INJECTED_LIST)) {
                StringBuilder text = new StringBuilder();
                // Mostly without the odd character, which keeps everything in one piece.
                random.ints(random.nextInt(12), 0, pieces.size()).map(p -> p == 6 && random.nextInt(9) > 0 ? 1 : p)
                        .forEach(p -> text.append(pieces.get(p)));
                if (random.nextInt(5) > 0) {
                    texts.put(key, text.toString());
                }
            }
            assertThat(MarkTexts.of(texts).all()).isEqualTo(texts);
            assertThat(MarkTexts.of(texts)).isEqualTo(MarkTexts.of(new HashMap<>(texts)));
        }
    }
}

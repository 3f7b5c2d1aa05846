package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.expr.Quantity;

/** The short cuts for usual times and quantities take nothing that the parsers refuse, and refuse nothing that they take. */
final class TypedDecodeTest {
    private static final int ROUNDS = 20_000;

    private static boolean fits(String text, String type) {
        return TypedDecode.check(Json.NODES.stringNode(text), type, MemberTable.POD, "x").isEmpty();
    }

    private static boolean isTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T12:00:00Z", "2026-02-29T12:00:00Z", "2024-02-29T12:00:00Z", "2026-12-31T23:59:59Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
            "2026-01-01t00:00:00z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00+02:00", "2026-01-01 00:00:00Z", "2026-04-31T00:00:00Z",
            "",
            "0000-01-01T00:00:00Z", "2026-1-01T00:00:00ZZ"})
    void timesAreThoseOfTheParser(String text) {
        assertThat(fits(text, "Time")).isEqualTo(isTime(text));
    }

    @Test
    void randomTimesAndQuantitiesAreThoseOfTheParsers() {
        Random random = new Random(Long.getLong("pillion.seed", 1));
        for (int round = 0; round < ROUNDS; round++) {
            String time = changed("2026-03-01T12:00:00Z", "0123456789-:TZ+.", random);
            String quantity = changed("1024Mi", "0123456789.+-eEinumkKMGTPi ", random);

            assertThat(fits(time, "Time")).as(time).isEqualTo(isTime(time));
            assertThat(fits(quantity, "Quantity")).as(quantity).isEqualTo(Quantity.parse(quantity.strip()).isPresent());
        }
    }

    private static String changed(String text, String alphabet, Random random) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = random.nextInt(3); i >= 0; i--) {
            changed.setCharAt(random.nextInt(changed.length()), alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return changed.substring(0, changed.length() - (random.nextInt(4) == 0 ? random.nextInt(changed.length()) : 0));
    }
}

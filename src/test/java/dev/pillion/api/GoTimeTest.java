package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SplittableRandom;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short way for the usual texts says the same as the formatters of the JDK. */
final class GoTimeTest {
    @ParameterizedTest
    @ValueSource(strings = {"2026-01-02T03:04:05Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2024-02-29T00:00:00Z",
            "2023-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-02T24:00:00Z",
            "2026-01-02T23:60:00Z", "2026-01-02T23:59:60Z", "2026-01-02t03:04:05z", "2026-01-02T03:04:05.25Z", "2026-01-02T03:04:05+01:00",
            "2026-01-02 03:04:05Z", "2026-01-02T03:04Z", "+2026-01-02T03:04:0Z", "2026-01-02T03:04:0\u0665Z", "", "null"})
    void readsAsTheJdkDoes(String text) {
        assertThat(GoTime.read(text)).isEqualTo(byTheJdk(text));
    }

    @RepeatedTest(50)
    void writesAsTheJdkDoes(RepetitionInfo info) {
        SplittableRandom random = new SplittableRandom(info.getCurrentRepetition());
        Instant time = Instant.ofEpochSecond(random.nextLong(-70_000_000_000L, 300_000_000_000L), random.nextLong(1_000_000_000));

        String text = GoTime.write(time);

        assertThat(text).isEqualTo(DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS)));
        assertThat(GoTime.read(text)).isEqualTo(byTheJdk(text));
    }

    private static Optional<Instant> byTheJdk(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}

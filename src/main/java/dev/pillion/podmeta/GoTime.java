package dev.pillion.podmeta;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Time stamps as Kubernetes writes them: RFC 3339, UTC, whole seconds. */
public final class GoTime {
    private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

    private GoTime() {
    }

    public static String write(Instant time) {
        return DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS));
    }

    /** The moment a text names; empty when it is no RFC 3339 time. */
    public static Optional<Instant> read(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The zero time of the reference is written as null. */
    static boolean isZero(Instant time) {
        return time.equals(ZERO);
    }
}

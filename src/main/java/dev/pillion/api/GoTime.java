package dev.pillion.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Time stamps as Kubernetes writes them: RFC 3339, UTC, whole seconds. */
public final class GoTime {
    private static final String PLAIN = "0000-00-00T00:00:00Z";
    private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

    private GoTime() {
    }

    /** RFC 3339 in UTC; what is less than a second is cut off. */
    public static String write(Instant time) {
        LocalDateTime date = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        if (date.getYear() < 0 || date.getYear() > 9999) {
            return DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS));
        }
        char[] text = PLAIN.toCharArray();
        digits(text, 0, 4, date.getYear());
        digits(text, 5, 2, date.getMonthValue());
        digits(text, 8, 2, date.getDayOfMonth());
        digits(text, 11, 2, date.getHour());
        digits(text, 14, 2, date.getMinute());
        digits(text, 17, 2, date.getSecond());
        return new String(text);
    }

    private static void digits(char[] text, int at, int count, int number) {
        int rest = number;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** The moment a text names; empty when it is no RFC 3339 time. */
    public static Optional<Instant> read(String text) {
        try {
            return Optional.of(isPlain(text) ? plain(text) : OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Whether a text has the form of the times that Kubernetes itself writes; a Pod has a dozen of them, and a formatter is slow. */
    private static boolean isPlain(String text) {
        if (text.length() != PLAIN.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (PLAIN.charAt(i) == '0' ? c < '0' || c > '9' : c != PLAIN.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static Instant plain(String text) {
        return LocalDateTime.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10), number(text, 11, 13), number(text, 14, 16),
                number(text, 17, 19)).toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }

    /** The zero time of the reference is written as null. */
    public static boolean isZero(Instant time) {
        return time.equals(ZERO);
    }
}

package dev.pillion.sandbox;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Time spans as kubectl's columns show them: two units while they are small, one when they are not. */
final class Ages {
    private Ages() {
    }

    /** The age of a time stamp: "5m3s"; "<unknown>" when there is none. */
    static String since(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return "<unknown>";
        }
        try {
            return text(Duration.between(OffsetDateTime.parse(timestamp).toInstant(), now));
        } catch (DateTimeException _) {
            return "<invalid>";
        }
    }

    static String text(Duration age) {
        long seconds = age.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(0, seconds) + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return pair(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return days < 8 * 365 ? pair(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
    }
}

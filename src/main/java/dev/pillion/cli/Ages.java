package dev.pillion.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How long ago something was, as kubectl shows it: 45s, 7m, 3h, 12d. */
final class Ages {
    private static final long MINUTES_FROM = 120;
    private static final long HOURS_FROM = 120;
    private static final long DAYS_FROM = 48;

    private Ages() {
    }

    /** "-" for a time that is not known. */
    static String of(Optional<Instant> then, Instant now) {
        if (then.isEmpty()) {
            return "-";
        }
        Duration age = Duration.between(then.get(), now);
        if (age.toSeconds() < MINUTES_FROM) {
            return Math.max(0, age.toSeconds()) + "s";
        }
        if (age.toMinutes() < HOURS_FROM) {
            return age.toMinutes() + "m";
        }
        return age.toHours() < DAYS_FROM ? age.toHours() + "h" : age.toDays() + "d";
    }
}

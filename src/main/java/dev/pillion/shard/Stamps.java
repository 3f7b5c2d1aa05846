package dev.pillion.shard;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times to write into a Lease, ever later: a record must differ from the one before it even if the wall clock stands still or goes back. */
final class Stamps {
    private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final Duration STEP = Duration.of(1, ChronoUnit.MICROS);

    private final InstantSource wall;
    private Instant last = Instant.EPOCH;

    Stamps(InstantSource wall) {
        this.wall = wall;
    }

    /** MicroTime as the API stores it. */
    String next() {
        Instant now = wall.instant();
        last = now.isBefore(last.plus(STEP)) ? last.plus(STEP) : now;
        return MICRO_TIME.format(last);
    }
}

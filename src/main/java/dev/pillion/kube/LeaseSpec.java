package dev.pillion.kube;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a Lease says. What lacks or is of no use is empty.
 *
 * @param holder identity of the holder, "" for nobody
 * @param duration how long it counts without a change
 * @param acquired MicroTime as stored, for people and for telling two claims apart; never compared with a clock
 * @param renewed the same
 * @param transitions how often the holder changed
 * @param marks annotations that start with {@link #MARK_PREFIX}
 */
public record LeaseSpec(String holder, Optional<Duration> duration, String acquired, String renewed, int transitions,
        Map<String, String> marks) {
    public static final String MARK_PREFIX = "pillion.dev/";
    /** A Lease that nobody holds. */
    public static final LeaseSpec EMPTY = new LeaseSpec("", Optional.empty(), "", "", 0, Map.of());

    public LeaseSpec {
        marks = Map.copyOf(marks);
    }

    public LeaseSpec withMarks(Map<String, String> wanted) {
        return new LeaseSpec(holder, duration, acquired, renewed, transitions, wanted);
    }
}

package dev.pillion.shard;

import java.time.Duration;

/**
 * Times of a Lease (settings lease.*).
 *
 * @param duration a rival takes over what has not changed for so long
 * @param renew from one renewal to the next
 * @param deadline so long after its last renewal was sent a holder starts no write any more
 */
public record LeaseTimes(Duration duration, Duration renew, Duration deadline) {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
    private static final Duration SHORTEST_REQUEST = Duration.ofMillis(250);
    /** The longest that the setting allows; more was written by somebody else. */
    private static final Duration LONGEST_DURATION = Duration.ofHours(1);

    public LeaseTimes {
        if (!renew.isPositive() || renew.compareTo(deadline) >= 0 || deadline.compareTo(duration) >= 0) {
            throw new IllegalArgumentException("lease.renew (" + renew + ") must be less than lease.deadline (" + deadline
                    + "), and that less than lease.duration (" + duration + ")");
        }
    }

    /** Between two looks at a Lease of somebody else, and between two tries of a request that failed. */
    public Duration pause() {
        Duration fifth = renew.dividedBy(5);
        return fifth.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : fifth.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : fifth;
    }

    /** For one request, so that a renewal can be tried twice before the deadline. */
    public Duration request() {
        Duration half = deadline.minus(renew).dividedBy(2);
        return half.compareTo(SHORTEST_REQUEST) < 0 ? SHORTEST_REQUEST : half;
    }

    /** How long a record must have stood still: for its own duration, and never less than ours, whatever somebody wrote into it. */
    Duration patience(Duration recorded) {
        Duration longer = recorded.compareTo(duration) > 0 ? recorded : duration;
        return longer.compareTo(LONGEST_DURATION) > 0 ? LONGEST_DURATION : longer;
    }
}

package dev.pillion.shard;

import dev.pillion.kube.LeaseRecord;

/** What became of a request about a Lease. */
sealed interface Answer {
    /** A read found it. */
    record Found(LeaseRecord lease) implements Answer {
    }

    /** A read found none. */
    record Absent() implements Answer {
    }

    /** A write succeeded; the Lease as it is now. */
    record Stored(LeaseRecord lease) implements Answer {
    }

    /** A write did not happen, since the Lease is not what it was believed to be. */
    record Conflict() implements Answer {
    }

    /** Nobody knows: a write may have happened, or may still happen. */
    record Unknown(String reason) implements Answer {
    }

    /** It did not happen and would not the next time: a matter of rights or rules. */
    record Refused(String reason) implements Answer {
    }
}

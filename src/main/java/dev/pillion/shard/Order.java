package dev.pillion.shard;

import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.LeaseSpec;

/** What a slot's Lease asks for next. Times are nanoseconds of the local monotonic clock. */
sealed interface Order {
    /** What a write is for. */
    enum Purpose {
        TAKE, RENEW, RELEASE,
        /** An empty Lease where there is none. */
        PLACE
    }

    /** Nothing until this time. */
    record Rest(long until) implements Order {
    }

    /** One request. No further one before its answer. */
    sealed interface Request extends Order {
    }

    record Read() implements Request {
    }

    record Create(Purpose purpose, LeaseSpec spec) implements Request {
    }

    record Change(Purpose purpose, LeaseRecord known, LeaseSpec spec) implements Request {
    }
}

package dev.pillion.shard;

import java.util.Optional;

import dev.pillion.kube.LeaseRecord;

/** Where this process stands with one slot. Times are nanoseconds of the local monotonic clock. */
sealed interface SlotState {

    /** Whether what is known of the Lease may be acted upon, or must be read first. */
    enum Basis {
        READ, STALE
    }

    /**
     * A claim of ours that was sent as a change of an existing Lease: the very record would prove that nobody came between.
     *
     * @param acquired the time it carried
     */
    record Claim(String uid, String acquired) {
    }

    /** Stands aside: wants no slot. */
    record Resting() implements SlotState {
    }

    /**
     * A Lease as it was read.
     *
     * @param lease as read last; empty when there was none
     * @param since what it says has not changed since then; the time at which the first such answer came
     */
    record Sight(Optional<LeaseRecord> lease, long since) {
        /** Looked at again: only what it says counts, other edits don't. */
        Sight again(Optional<LeaseRecord> now, long at) {
            boolean same = lease.isPresent() == now.isPresent() && lease.map(LeaseRecord::uid).equals(now.map(LeaseRecord::uid))
                    && lease.map(LeaseRecord::spec).equals(now.map(LeaseRecord::spec));
            return new Sight(now, same ? since : at);
        }
    }

    /**
     * Somebody else may hold it.
     *
     * @param sight empty before the first read
     * @param lookAt time of the next read
     * @param claim what was sent last and never contradicted
     */
    record Watching(Optional<Sight> sight, long lookAt, Basis basis, Optional<Claim> claim) implements SlotState {
        Watching stale(long at) {
            return new Watching(sight, at, Basis.STALE, claim);
        }

        Watching claims(Optional<Claim> sent) {
            return new Watching(sight, lookAt, basis, sent);
        }
    }

    /**
     * Ours, until the deadline after the last renewal.
     *
     * @param lease what is known of it; empty when it was found deleted
     * @param sentAt when the last successful write was sent
     * @param dueAt time of the next request
     */
    record Holding(Optional<LeaseRecord> lease, long sentAt, long dueAt, Basis basis) implements SlotState {
        Holding due(long at) {
            return new Holding(lease, sentAt, at, basis);
        }

        Holding stale(long at) {
            return new Holding(lease, sentAt, at, Basis.STALE);
        }

        Holding knows(Optional<LeaseRecord> now, long at) {
            return new Holding(now, sentAt, at, Basis.READ);
        }
    }

    /** Given away, but work begun in the term is not done: renewed as before, so that nobody else begins. */
    record Leaving(Holding held) implements SlotState {
    }

    /** Lost; work begun in the term is not done, so it isn't taken up again yet. */
    record Lost(Optional<Claim> claim) implements SlotState {
    }

    /** Work is done; the holder is to be cleared. */
    record Releasing(Holding held) implements SlotState {
    }
}

package dev.pillion.shard;

/** A change of who owns a slot, as far as it concerns this process. Times are nanoseconds of the local monotonic clock. */
sealed interface Turn {
    /** Why a term ended. The word is stable. */
    enum Why {
        /** Given away in order. */
        GIVEN("given-away"),
        /** No renewal succeeded before the deadline. */
        EXPIRED("not-renewed"),
        /** Somebody else holds the Lease. */
        TAKEN("taken");

        private final String word;

        Why(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * A term begins.
     *
     * @param until no write starts later than this, unless it is extended
     * @param fresh no other owner has written since then: a list that began later shows everything
     */
    record Gained(long term, long until, long fresh) implements Turn {
    }

    record Extended(long term, long until) implements Turn {
    }

    /** No further write may start. The slot is taken up again only after {@link SlotLease#drained}. */
    record Ended(long term, Why why) implements Turn {
    }

    /** The Lease tells everybody that the slot is free. */
    record Released() implements Turn {
    }
}

package dev.pillion.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * One committed write.
 *
 * @param object state after the write; of a DELETED one the last state, with the resourceVersion of the deletion
 * @param before state before the write, absent for ADDED
 * @param committed System.nanoTime at the commit, for delayed delivery
 */
record Change(Kind kind, String store, Stored object, @Nullable Stored before, long committed) {

    /** What happened, with the name it has in a watch. */
    enum Kind {
        ADDED, MODIFIED, DELETED
    }

    long revision() {
        return object.revision();
    }
}

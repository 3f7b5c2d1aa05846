package dev.pillion.match;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;

/**
 * What pinned revisions restore, compiled: one for each set, made by the first Pod that needs it and used by those after it, until set or
 * revision are other instances. Safe for all threads.
 */
public final class Restorations {
    /** What was restored of which. */
    private record Restored(CompiledSet set, Revision revision, CompiledSet content) {
        @SuppressWarnings("ReferenceEquality") // an index keeps the instances of what did not change; comparing trees costs as much as compiling
        boolean isOf(CompiledSet wanted, Revision wantedRevision) {
            return set == wanted && revision == wantedRevision;
        }
    }

    private final ConcurrentMap<SetKey, Restored> bySet = new ConcurrentHashMap<>();

    Restorations() {
    }

    public Optional<CompiledSet> find(CompiledSet set, Revision revision) {
        return Optional.ofNullable(bySet.get(set.set().key())).filter(r -> r.isOf(set, revision)).map(Restored::content);
    }

    public void keep(CompiledSet set, Revision revision, CompiledSet content) {
        bySet.put(set.set().key(), new Restored(set, revision, content));
    }

    /** Drops all other sets. */
    void retain(Set<SetKey> sets) {
        bySet.keySet().retainAll(sets);
    }
}

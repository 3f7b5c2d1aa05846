package dev.pillion.startup;

import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.pillion.kube.BarrierMap;

/**
 * What this process remembers of a Pod from one look to the next. Losing it costs a read and starts the patience anew.
 *
 * @param map the ConfigMap as it was at readAt
 * @param due the keys that were due then
 * @param movedAt when due became what it is; monotonic nanoseconds, like readAt
 * @param warnings how often since then somebody was told that nothing moves
 */
record Memo(String uid, @Nullable BarrierMap map, long readAt, Set<String> due, long movedAt, int warnings, Told told) {

    /** Whether the log was told that somebody holds the Pod back. */
    enum Told {
        NOT_YET, TOLD
    }

    Memo {
        due = Set.copyOf(due);
    }

    static Memo of(String uid, long now) {
        return new Memo(uid, null, now, Set.of(), now, 0, Told.NOT_YET);
    }

    /** The ConfigMap, while it was read not longer ago than maxAge in nanoseconds. */
    Optional<BarrierMap> map(long now, long maxAge) {
        return map != null && now - readAt < maxAge ? Optional.of(map) : Optional.empty();
    }

    Memo with(BarrierMap current, long currentAt, Set<String> dueNow, long now) {
        boolean moved = !dueNow.equals(due);
        return new Memo(uid, current, currentAt, dueNow, moved ? now : movedAt, moved ? 0 : warnings, told);
    }

    Memo withoutMap() {
        return new Memo(uid, null, readAt, due, movedAt, warnings, told);
    }

    Memo with(Told now) {
        return new Memo(uid, map, readAt, due, movedAt, warnings, now);
    }

    Memo warned() {
        return new Memo(uid, map, readAt, due, movedAt, warnings + 1, told);
    }
}

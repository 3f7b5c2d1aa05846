package dev.pillion.watch;

import java.time.Duration;

import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.Cause;

/** One set that an event concerns: what becomes an Enqueue. */
record Wakeup(SetKey set, Duration after, Cause cause) {
    static final Cause SET_CREATED = new Cause("set-created");
    static final Cause SET_CHANGED = new Cause("set-changed");
    static final Cause SET_DELETED = new Cause("set-deleted");
    static final Cause FIRST_LIST = new Cause("first-list");
    static final Cause NAMESPACE_CHANGED = new Cause("namespace-changed");
    static final Cause POD_CREATED = new Cause("pod-created");
    static final Cause POD_DELETED = new Cause("pod-deleted");
    static final Cause POD_STATUS = new Cause("pod-status");
    static final Cause POD_CONSISTENCY = new Cause("pod-consistency");
    static final Cause POD_LABELS = new Cause("pod-labels");
    static final Cause POD_MATCH = new Cause("pod-match");
    static final Cause POD_HASH = new Cause("pod-hash");
    static final Cause POD_CONTAINERS = new Cause("pod-containers");

    /**
     * How long a change may wait that cannot let another Pod go: each step of a roll-out shows itself in three or four events, of which only
     * the last one, the Pod being ready again, makes room. The others are in the inbox meanwhile, for whoever wakes the set.
     */
    private static final Duration EASE = Duration.ofMillis(100);

    /** The same, later when the Pod as it is now still counts but makes no room: a new hash, or a Pod that is not ready. */
    Wakeup atEase(PodView pod) {
        boolean makesNoRoom = pod.isActive() && (cause.equals(POD_HASH) || (cause.equals(POD_STATUS) && !pod.isReady()));
        return makesNoRoom && after.compareTo(EASE) < 0 ? new Wakeup(set, EASE, cause) : this;
    }

    static Wakeup now(SetKey set, Cause cause) {
        return new Wakeup(set, Duration.ZERO, cause);
    }
}

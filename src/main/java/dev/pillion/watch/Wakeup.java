package dev.pillion.watch;

import java.time.Duration;

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

    static Wakeup now(SetKey set, Cause cause) {
        return new Wakeup(set, Duration.ZERO, cause);
    }
}

package dev.pillion.kube;

import dev.pillion.api.PodKey;
import dev.pillion.api.SidecarSet;

/** Records Kubernetes events; repeats are counted, failures are logged and never reach the caller. Does not block. */
public interface EventSink {
    enum Type {
        NORMAL, WARNING
    }

    void onSet(SidecarSet set, Type type, String reason, String note);

    /** About a Lease in the own namespace. */
    void onLease(LeaseRecord lease, Type type, String reason, String note);

    void onPod(PodKey pod, String podUid, Type type, String reason, String note);
}

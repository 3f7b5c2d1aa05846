package dev.pillion.kube;

import java.util.List;
import java.util.Optional;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;

/** The local view of Pods, indexed by the sets their injected list names. Safe for all threads. */
public interface PodCache {
    Optional<PodView> get(PodKey key);

    /** Pods whose injected list names the set, in no promised order. */
    List<PodView> naming(SetKey set);

    /** Puts the API server's answer to an own write in, unless the cache already holds a newer view; tells listeners nothing. */
    void applyOwnWrite(PodView pod);
}

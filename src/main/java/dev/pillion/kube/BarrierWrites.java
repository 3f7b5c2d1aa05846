package dev.pillion.kube;

import java.util.Optional;
import java.util.Set;

import dev.pillion.api.PodView;

/**
 * The ConfigMaps of launch priority, each read and written by itself: none is watched or kept (neighbours.md 1.6, trap 13). Blocking, with
 * a deadline, never retried here. All throw {@link KubeException}.
 */
public interface BarrierWrites {
    /** The ConfigMap of the Pod's name; empty when there is none. */
    Optional<BarrierMap> read(PodView pod);

    /** Creates the Pod's ConfigMap with these keys, owned by the Pod. Somebody else was first: {@link KubeException#isAlreadyExists}. */
    BarrierMap create(PodView pod, Set<String> keys);

    /** Adds keys to exactly this ConfigMap; gone or replaced: {@link KubeException#isGone} or {@link KubeException#isConflict}. */
    BarrierMap add(BarrierMap map, Set<String> keys);

    /** The same, and makes the Pod its owner, so that it goes with the Pod. */
    BarrierMap adopt(BarrierMap map, PodView pod, Set<String> keys);

    /** Deletes exactly this ConfigMap; one that is gone or replaced is fine. */
    void delete(BarrierMap map);
}

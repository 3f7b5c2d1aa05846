package dev.pillion.kube;

import java.util.List;
import java.util.Set;

/**
 * A ConfigMap named after a Pod, as far as launch priority reads it.
 *
 * @param keys names of its data, whatever their values
 * @param deleting whether it is about to vanish
 */
public record BarrierMap(String namespace, String name, String uid, Set<String> keys, List<Owner> owners, boolean deleting) {
    /** One owner reference. */
    public record Owner(String kind, String uid) {
    }

    public BarrierMap {
        keys = Set.copyOf(keys);
        owners = List.copyOf(owners);
    }
}

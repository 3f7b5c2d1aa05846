package dev.pillion.api;

import java.util.Comparator;

/** Names a Pod. Ordered by namespace, then name. */
public record PodKey(String namespace, String name) implements Comparable<PodKey> {
    private static final Comparator<PodKey> ORDER = Comparator.comparing(PodKey::namespace).thenComparing(PodKey::name);

    @Override
    public int compareTo(PodKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}

package dev.pillion.kube;

import java.util.HashMap;
import java.util.Map;

/**
 * Hands out one instance of equal values, so that 100,000 Pods of 1,000 templates keep 1,000 label maps. Bounded: two generations, the older of
 * which is thrown away when the younger is full, so values still in use move on and those of deleted Pods go. Used by one thread.
 */
final class Interner {
    static final Interner NONE = new Interner(0);

    private final int bound;
    private Map<Object, Object> young = new HashMap<>();
    private Map<Object, Object> old = new HashMap<>();

    Interner(int bound) {
        this.bound = bound;
    }

    @SuppressWarnings("unchecked") // an equal value of the same class is of the same type
    <T> T of(T value) {
        if (bound == 0) {
            return value;
        }
        Object known = young.get(value);
        if (known != null) {
            return (T) known;
        }
        if (young.size() >= bound) {
            old = young;
            young = new HashMap<>();
        }
        Object older = old.get(value);
        Object kept = older == null ? value : older;
        young.put(kept, kept);
        return (T) kept;
    }
}

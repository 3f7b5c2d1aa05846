package dev.pillion.kube;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Hands out one text for equal names of members, found by their bytes. Bounded: once it is full, new names are made anew each time. Safe for
 * threads: texts are immutable, and of two that add at the same time one is lost, which costs a text made anew.
 */
final class MemberNames {
    private static final int SLOTS = 1024;
    private static final int MOST = SLOTS / 2;
    private static final int LONGEST = 128;

    private final @Nullable String[] slots = new String[SLOTS];
    private int used;

    /**
     * The name in these bytes, all of them ASCII.
     *
     * @param hash as {@link String#hashCode} has it
     */
    String of(byte[] bytes, int from, int to, int hash) {
        int slot = (hash ^ hash >>> 10 ^ hash >>> 20) & (SLOTS - 1);
        for (String known = slots[slot]; known != null; known = slots[slot]) {
            if (known.hashCode() == hash && isSame(known, bytes, from, to)) {
                return known;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        String name = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        if (used < MOST && name.length() <= LONGEST) {
            used++;
            slots[slot] = name;
        }
        return name;
    }

    private static boolean isSame(String name, byte[] bytes, int from, int to) {
        if (name.length() != to - from) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}

package dev.pillion.bus;

import java.nio.charset.StandardCharsets;

import dev.pillion.api.SetKey;

/**
 * The slots that the sets of an installation are spread over (setting shard.slots): a set's slot is the FNV-1a hash of its name in 32
 * bits modulo their number, so every process and every version agrees on it.
 */
public record Slots(int count) {
    /** The one slot of an installation without sharding; its holder also does what one process alone must do. */
    public static final int FIRST = 0;

    private static final int BASIS = 0x811c9dc5;
    private static final int PRIME = 0x01000193;

    public Slots {
        if (count < 1) {
            throw new IllegalArgumentException("there must be at least one slot, not " + count);
        }
    }

    public int of(SetKey set) {
        int hash = BASIS;
        for (byte b : set.name().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        return Integer.remainderUnsigned(hash, count);
    }
}

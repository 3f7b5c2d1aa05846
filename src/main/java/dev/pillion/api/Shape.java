package dev.pillion.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The members of one struct, found by the bytes of their name. Immutable once all shapes of a table are filled. */
final class Shape {
    /** No member of the struct. */
    static final int UNKNOWN = Integer.MIN_VALUE;
    private static final int SPARSE = 4;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Finds shapes by the name of the struct, filled or yet to be. */
    interface Lookup {
        Shape named(String struct);
    }

    private final String struct;
    private String[] names = {};
    private byte[][] keys = {};
    /** The first bytes of each key. */
    private long[] starts = {};
    private ScanType[] types = {};
    /** Open addressing by {@link #hash}; the id of a member plus one, 0 where none is. */
    private int[] slots = {0};
    /** The same by {@link #spread}. */
    private int[] slotsByName = {0};

    Shape(String struct) {
        this.struct = struct;
    }

    void fill(List<MemberTable.Member> members, Lookup shapes) {
        int count = members.size();
        names = new String[count];
        keys = new byte[count][];
        starts = new long[count];
        types = new ScanType[count];
        slots = new int[Integer.highestOneBit(Math.max(1, count) * SPARSE)];
        slotsByName = new int[slots.length];
        for (int id = 0; id < count; id++) {
            // Callers ask with literals, which are then the same instances.
            names[id] = members.get(id).name().intern();
            keys[id] = names[id].getBytes(StandardCharsets.UTF_8);
            types[id] = ScanType.of(members.get(id).type(), shapes);
            starts[id] = start(keys[id], 0, keys[id].length);
            put(slots, hash(starts[id], keys[id].length), id);
            put(slotsByName, spread(names[id]), id);
        }
    }

    private static void put(int[] slots, int hash, int id) {
        int slot = hash & (slots.length - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = id + 1;
    }

    String struct() {
        return struct;
    }

    /** The member whose name stands in the text from an index up to another one, or {@link #UNKNOWN}. */
    int find(byte[] text, int from, int to) {
        int length = to - from;
        long start = start(text, from, length);
        for (int slot = hash(start, length) & (slots.length - 1); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
            int id = slots[slot] - 1;
            byte[] key = keys[id];
            if (starts[id] == start && key.length == length && (length <= Long.BYTES || isSameEnd(text, to, key))) {
                return id;
            }
        }
        return UNKNOWN;
    }

    /** Whether two names of one length are the same behind the first eight bytes; for a few bytes faster than a call of the JDK's. */
    private static boolean isSameEnd(byte[] text, int to, byte[] key) {
        int end = key.length;
        for (; end > 2 * Long.BYTES; end -= Long.BYTES) {
            if ((long) LONGS.get(text, to - (key.length - end) - Long.BYTES) != (long) LONGS.get(key, end - Long.BYTES)) {
                return false;
            }
        }
        return (long) LONGS.get(text, to - (key.length - end) - Long.BYTES) == (long) LONGS.get(key, end - Long.BYTES);
    }

    @SuppressWarnings({"ReferenceEquality", "StringEquality"}) // a short cut for literals
    int find(String name) {
        int mask = slotsByName.length - 1;
        for (int slot = spread(name) & mask; slotsByName[slot] != 0; slot = (slot + 1) & mask) {
            int id = slotsByName[slot] - 1;
            if (names[id] == name || names[id].equals(name)) {
                return id;
            }
        }
        return UNKNOWN;
    }

    String name(int id) {
        return names[id];
    }

    ScanType type(int id) {
        return types[id];
    }

    /** Up to eight bytes as a number, the first one lowest. */
    private static long start(byte[] text, int from, int length) {
        if (from + Long.BYTES <= text.length) {
            long word = (long) LONGS.get(text, from);
            return length >= Long.BYTES ? word : word & ((1L << (Byte.SIZE * length)) - 1);
        }
        long word = 0;
        for (int i = Math.min(length, Long.BYTES) - 1; i >= 0; i--) {
            word = (word << Byte.SIZE) | (text[from + i] & 0xFF);
        }
        return word;
    }

    private static int spread(String name) {
        return (int) ((name.hashCode() * SPREAD) >>> Integer.SIZE);
    }

    private static int hash(long start, int length) {
        return (int) (((start + length) * SPREAD) >>> Integer.SIZE);
    }
}

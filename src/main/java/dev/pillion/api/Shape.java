package dev.pillion.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    private final Map<String, Integer> ids = new HashMap<>();
    private String[] names = {};
    private byte[][] keys = {};
    /** The first bytes of each key. */
    private long[] starts = {};
    private ScanType[] types = {};
    /** Open addressing by {@link #hash}; the id of a member plus one, 0 where none is. */
    private int[] slots = {0};

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
        for (int id = 0; id < count; id++) {
            // Callers ask with literals, which are then the same instances.
            names[id] = members.get(id).name().intern();
            keys[id] = names[id].getBytes(StandardCharsets.UTF_8);
            types[id] = ScanType.of(members.get(id).type(), shapes);
            ids.put(names[id], id);
            starts[id] = start(keys[id], 0, keys[id].length);
            int slot = hash(starts[id], keys[id].length) & (slots.length - 1);
            while (slots[slot] != 0) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = id + 1;
        }
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
            if (starts[id] == start && key.length == length
                    && (length <= Long.BYTES || Arrays.equals(text, from + Long.BYTES, to, key, Long.BYTES, length))) {
                return id;
            }
        }
        return UNKNOWN;
    }

    int find(String name) {
        return ids.getOrDefault(name, UNKNOWN);
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

    private static int hash(long start, int length) {
        return (int) (((start + length) * SPREAD) >>> Integer.SIZE);
    }
}

package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers 0 to n-1 in an order that changes: members are taken out and put in again by their places among the others. Kept in blocks,
 * so that moving a member costs the square root of n and not n. Not safe for threads.
 */
final class Ranking {
    private static final int BLOCK = 256;
    /** Below one in so many, members are moved one by one; above, the whole order is written anew. */
    private static final int FEW = 16;

    private static final class Block {
        private final int[] members = new int[2 * BLOCK];
        private int size;

        private int indexOf(int member) {
            int at = 0;
            while (members[at] != member) {
                at++;
            }
            return at;
        }

        private void insert(int at, int member) {
            System.arraycopy(members, at, members, at + 1, size - at);
            members[at] = member;
            size++;
        }

        private void remove(int at) {
            System.arraycopy(members, at + 1, members, at, size - at - 1);
            size--;
        }
    }

    private final List<Block> blocks = new ArrayList<>();
    private final Block[] blockOf;

    /** In ascending order. */
    Ranking(int size) {
        this.blockOf = new Block[size];
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        write(order);
    }

    int size() {
        return blockOf.length;
    }

    /** The members in their present order. */
    int[] order() {
        int[] order = new int[blockOf.length];
        int at = 0;
        for (Block block : blocks) {
            System.arraycopy(block.members, 0, order, at, block.size);
            at += block.size;
        }
        return order;
    }

    private void write(int[] order) {
        blocks.clear();
        for (int from = 0; from < order.length; from += BLOCK) {
            Block block = new Block();
            block.size = Math.min(BLOCK, order.length - from);
            System.arraycopy(order, from, block.members, 0, block.size);
            for (int i = 0; i < block.size; i++) {
                blockOf[block.members[i]] = block;
            }
            blocks.add(block);
        }
    }

    /** These members by their present order. */
    int[] sorted(int[] members) {
        long[] keys = new long[members.length];
        for (int i = 0; i < members.length; i++) {
            keys[i] = ((long) place(members[i]) << Integer.SIZE) | members[i];
        }
        Arrays.sort(keys);
        int[] sorted = new int[members.length];
        for (int i = 0; i < keys.length; i++) {
            sorted[i] = (int) keys[i];
        }
        return sorted;
    }

    private int place(int member) {
        int before = 0;
        for (Block block : blocks) {
            if (block == blockOf[member]) {
                return before + block.indexOf(member);
            }
            before += block.size;
        }
        throw new IllegalStateException(member + " has no place");
    }

    /**
     * Puts members elsewhere; all others keep their order.
     *
     * @param members in their new order
     * @param before how many of the others shall stand before each of them, ascending
     */
    void move(int[] members, int[] before) {
        if (members.length * FEW > blockOf.length) {
            rewrite(members, before);
            return;
        }
        for (int member : members) {
            Block block = blockOf[member];
            block.remove(block.indexOf(member));
        }
        for (int i = 0; i < members.length; i++) {
            insert(before[i] + i, members[i]);
        }
    }

    private void insert(int place, int member) {
        int rest = place;
        int at = 0;
        while (at < blocks.size() - 1 && rest > blocks.get(at).size) {
            rest -= blocks.get(at).size;
            at++;
        }
        Block block = blocks.get(at);
        if (block.size == block.members.length) {
            split(at);
            if (rest > block.size) {
                rest -= block.size;
                block = blocks.get(at + 1);
            }
        }
        block.insert(rest, member);
        blockOf[member] = block;
    }

    private void split(int at) {
        Block full = blocks.get(at);
        Block half = new Block();
        half.size = full.size / 2;
        full.size -= half.size;
        System.arraycopy(full.members, full.size, half.members, 0, half.size);
        for (int i = 0; i < half.size; i++) {
            blockOf[half.members[i]] = half;
        }
        blocks.add(at + 1, half);
    }

    private void rewrite(int[] members, int[] before) {
        boolean[] moves = new boolean[blockOf.length];
        for (int member : members) {
            moves[member] = true;
        }
        int[] order = new int[blockOf.length];
        int at = 0;
        int others = 0;
        int next = 0;
        for (int member : order()) {
            if (!moves[member]) {
                while (next < members.length && before[next] <= others) {
                    order[at++] = members[next++];
                }
                order[at++] = member;
                others++;
            }
        }
        while (next < members.length) {
            order[at++] = members[next++];
        }
        write(order);
    }
}

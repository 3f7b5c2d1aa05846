package dev.pillion.api;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The members of a struct in a scanned text, in its order; each becomes a node when it is first asked for. One thread at a time. */
final class TypedMembers extends AbstractMap<String, JsonNode> {
    private final TypedScan.Found found;
    private final int entry;
    private final Shape shape;
    /** By place in the text. */
    private @Nullable JsonNode[] nodes = {};

    TypedMembers(TypedScan.Found found, int entry, Shape shape) {
        this.found = found;
        this.entry = entry;
        this.shape = shape;
    }

    @Override
    public int size() {
        return found.tape()[entry + TypedScan.PARTS];
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    private int end() {
        return found.tape()[entry + TypedScan.NEXT];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public @Nullable JsonNode get(@Nullable Object key) {
        if (!(key instanceof String wanted)) {
            return null;
        }
        int[] tape = found.tape();
        int end = end();
        int id = shape.find(wanted);
        int place = 0;
        for (int at = entry + TypedScan.ENTRY; at < end; at = tape[at + TypedScan.NEXT]) {
            if (tape[at] == id || (id < 0 && tape[at] < 0 && name(at).equals(wanted))) {
                return node(at, place);
            }
            place++;
        }
        return null;
    }

    private String name(int at) {
        int id = found.tape()[at];
        return id >= 0 ? shape.name(id) : TypedNodes.name(found, -id);
    }

    private JsonNode node(int at, int place) {
        if (nodes.length == 0) {
            nodes = new @Nullable JsonNode[size()];
        }
        JsonNode known = nodes[place];
        if (known == null) {
            int id = found.tape()[at];
            known = TypedNodes.node(found, at, id >= 0 ? shape.type(id) : ScanType.ANY);
            nodes[place] = known;
        }
        return known;
    }

    @Override
    public Set<Entry<String, JsonNode>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return TypedMembers.this.size();
            }

            @Override
            public Iterator<Entry<String, JsonNode>> iterator() {
                return new Members();
            }
        };
    }

    private final class Members implements Iterator<Entry<String, JsonNode>> {
        private int at = entry + TypedScan.ENTRY;
        private int place;

        @Override
        public boolean hasNext() {
            return at < end();
        }

        @Override
        public Entry<String, JsonNode> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Entry<String, JsonNode> member = new SimpleImmutableEntry<>(name(at), node(at, place));
            at = found.tape()[at + TypedScan.NEXT];
            place++;
            return member;
        }
    }
}

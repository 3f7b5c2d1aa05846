package dev.pillion.api;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes that go out again and again and never change: their text is made once, when it is first wanted. Safe for all threads. */
public final class FixedJson {
    private FixedJson() {
    }

    /** The text of a node; a record, so that another thread that sees it sees all of it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Text(byte[] bytes) {
        static Text of(JsonNode value) {
            JsonBytes out = new JsonBytes(256);
            out.value(value);
            return new Text(out.toBytes());
        }
    }

    /** An equal object. The given one must not change any more. */
    public static ObjectNode of(ObjectNode object) {
        return new FixedObject(new Members(object));
    }

    /** An equal list. The given one, and what is in it, must not change any more. */
    public static ArrayNode of(ArrayNode list) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        return new FixedList(items);
    }

    /** An equal object whose members, and the elements of its lists, are fixed as well. */
    public static ObjectNode withParts(ObjectNode object) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        object.properties().forEach(member -> members.put(member.getKey(), part(member.getValue())));
        return new FixedObject(members);
    }

    private static JsonNode part(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> of(object);
            case ArrayNode list -> {
                List<JsonNode> items = new ArrayList<>();
                list.forEach(item -> items.add(item instanceof ObjectNode object ? of(object) : item));
                yield new FixedList(items);
            }
            default -> value;
        };
    }

    /** The members of another object, not copied. */
    private static final class Members extends AbstractMap<String, JsonNode> {
        private final ObjectNode object;

        private Members(ObjectNode object) {
            this.object = object;
        }

        @Override
        public @Nullable JsonNode get(@Nullable Object key) {
            return key instanceof String name ? object.get(name) : null;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return get(key) != null;
        }

        @Override
        public int size() {
            return object.size();
        }

        @Override
        public Set<Entry<String, JsonNode>> entrySet() {
            return object.properties();
        }
    }

    /** An object with its text. */
    private static final class FixedObject extends ObjectNode implements JsonBytes.Written {
        private static final long serialVersionUID = 1;

        private transient @Nullable Text text;

        private FixedObject(Map<String, JsonNode> members) {
            super(Json.NODES, members);
        }

        @Override
        public void writeTo(JsonBytes out) {
            Text known = text;
            if (known == null) {
                known = Text.of(new ObjectNode(Json.NODES, _children));
                text = known;
            }
            out.plain(known.bytes, 0, known.bytes.length);
        }
    }

    /** A list with its text. */
    static final class FixedList extends ArrayNode implements JsonBytes.Written {
        private static final long serialVersionUID = 1;

        private transient @Nullable Text text;
        private transient volatile @Nullable Set<String> names;

        private FixedList(List<JsonNode> items) {
            super(Json.NODES, items);
        }

        /** Whether it has an object of this name. */
        boolean hasName(String name) {
            Set<String> known = names;
            if (known == null) {
                Set<String> all = new HashSet<>();
                forEach(item -> all.add(Json.text(item, "name")));
                known = Set.copyOf(all);
                names = known;
            }
            return known.contains(name);
        }

        @Override
        public void writeTo(JsonBytes out) {
            Text known = text;
            if (known == null) {
                List<JsonNode> items = new ArrayList<>();
                forEach(items::add);
                known = Text.of(new ArrayNode(Json.NODES, items));
                text = known;
            }
            out.plain(known.bytes, 0, known.bytes.length);
        }
    }
}

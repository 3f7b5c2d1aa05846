package dev.pillion.api;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A fixed node (see {@link FixedJson}) with something behind it: what is fixed is neither copied nor written anew. None of it may change any more. */
public final class ExtendedJson {
    private ExtendedJson() {
    }

    /** The members of both, which have no name in common. */
    public static ObjectNode of(ObjectNode fixed, Map<String, JsonNode> more) {
        return new LongerObject(fixed, more);
    }

    /** The items of both. */
    public static ArrayNode of(ArrayNode fixed, List<JsonNode> more) {
        return new LongerList(fixed, more);
    }

    /** Whether the list may have an object of this name; false is certain, and known of a fixed list without looking at each item. */
    public static boolean mayHave(JsonNode list, String name) {
        return switch (list) {
            case LongerList longer -> mayHave(longer.fixed, name) || longer.more.stream().anyMatch(i -> Json.text(i, "name").equals(name));
            case FixedJson.FixedList fixed -> fixed.hasName(name);
            default -> true;
        };
    }

    /** The members of one object, then those of a map. */
    private static final class Joined extends AbstractMap<String, JsonNode> {
        private final ObjectNode fixed;
        private final Map<String, JsonNode> more;

        private Joined(ObjectNode fixed, Map<String, JsonNode> more) {
            this.fixed = fixed;
            this.more = more;
        }

        @Override
        public @Nullable JsonNode get(@Nullable Object key) {
            JsonNode own = more.get(key);
            return own == null && key instanceof String name ? fixed.get(name) : own;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return get(key) != null;
        }

        @Override
        public int size() {
            return fixed.size() + more.size();
        }

        @Override
        public Set<Entry<String, JsonNode>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public int size() {
                    return Joined.this.size();
                }

                @Override
                public Iterator<Entry<String, JsonNode>> iterator() {
                    return Stream.of(fixed.properties(), more.entrySet()).flatMap(Collection::stream).iterator();
                }
            };
        }
    }

    private static final class LongerObject extends ObjectNode implements JsonBytes.Written {
        private static final long serialVersionUID = 1;

        private final transient ObjectNode fixed;
        private final transient Map<String, JsonNode> more;

        private LongerObject(ObjectNode fixed, Map<String, JsonNode> more) {
            super(Json.NODES, new Joined(fixed, more));
            this.fixed = fixed;
            this.more = more;
        }

        @Override
        public void writeTo(JsonBytes out) {
            out.value(fixed).reopen();
            more.forEach((name, value) -> out.next('{').string(name).plain(":").value(value));
            out.plain("}");
        }
    }

    private static final class LongerList extends ArrayNode implements JsonBytes.Written {
        private static final long serialVersionUID = 1;

        private final transient ArrayNode fixed;
        private final transient List<JsonNode> more;

        private LongerList(ArrayNode fixed, List<JsonNode> more) {
            super(Json.NODES, new AbstractList<>() {
                @Override
                public JsonNode get(int index) {
                    Objects.checkIndex(index, size());
                    return index < fixed.size() ? fixed.path(index) : more.get(index - fixed.size());
                }

                @Override
                public int size() {
                    return fixed.size() + more.size();
                }
            });
            this.fixed = fixed;
            this.more = more;
        }

        @Override
        public void writeTo(JsonBytes out) {
            out.value(fixed).reopen();
            more.forEach(item -> out.next('[').value(item));
            out.plain("]");
        }
    }
}

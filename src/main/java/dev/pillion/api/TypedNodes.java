package dev.pillion.api;

import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes nodes of a scanned text, equal to those that the common reader makes. */
final class TypedNodes {
    private TypedNodes() {
    }

    static JsonNode node(TypedScan.Found found, int entry, ScanType type) {
        byte[] text = found.text();
        int start = found.tape()[entry + TypedScan.START];
        int end = found.tape()[entry + TypedScan.END];
        switch (text[start]) {
            case '"' -> {
                return isEscaped(found, entry)
                        ? Json.MAPPER.readTree(text, start, end - start)
                        : Json.NODES.stringNode(decode(found, start + 1, end - 1));
            }
            case 'n' -> {
                return Json.NODES.nullNode();
            }
            case 't' -> {
                return Json.NODES.booleanNode(true);
            }
            case 'f' -> {
                return Json.NODES.booleanNode(false);
            }
            case '{' -> {
                if (type.kind() == ScanType.Kind.STRUCT) {
                    return new TypedObject(found, entry, type.shape());
                }
                if (type.kind() == ScanType.Kind.MAP && type.item().kind() == ScanType.Kind.TEXT && !isEscaped(found, entry)) {
                    Map<String, JsonNode> texts = new LinkedHashMap<>();
                    texts(found, entry, (name, value) -> texts.put(name,
                            value == null ? Json.NODES.nullNode() : Json.NODES.stringNode(value)));
                    return new ObjectNode(Json.NODES, texts);
                }
            }
            case '[' -> {
                if (type.isListOfStructs()) {
                    return new ArrayNode(Json.NODES, new Structs(found, entry, type.item()));
                }
            }
            default -> {
                // A number.
            }
        }
        return Json.MAPPER.readTree(text, start, end - start);
    }

    /** The name that begins with a quote at an index; it holds no escapes. */
    static String name(TypedScan.Found found, int from) {
        int to = from + 1;
        while (found.text()[to] != '"') {
            to++;
        }
        return new String(found.text(), from + 1, to - from - 1, StandardCharsets.UTF_8);
    }

    static boolean isEscaped(TypedScan.Found found, int entry) {
        return found.tape()[entry + TypedScan.ESCAPED] != 0;
    }

    private static String decode(TypedScan.Found found, int from, int to) {
        return new String(found.text(), from, to - from, found.ascii() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    /** Where the parts of a map go; the value is null for a JSON null. */
    interface Texts {
        void put(String name, @Nullable String value);
    }

    /** A map of texts, or of nulls, without escapes: whatever stands between quotes is a name or a value. */
    static void texts(TypedScan.Found found, int entry, Texts into) {
        byte[] text = found.text();
        int end = found.tape()[entry + TypedScan.END];
        int at = found.tape()[entry + TypedScan.START];
        while (true) {
            int open = indexOf(text, '"', at, end);
            if (open == end) {
                return;
            }
            int close = indexOf(text, '"', open + 1, end);
            String name = decode(found, open + 1, close);
            int value = close + 1;
            while (text[value] != '"' && text[value] != 'n') {
                value++;
            }
            if (text[value] == 'n') {
                into.put(name, null);
                at = value;
            } else {
                at = indexOf(text, '"', value + 1, end);
                into.put(name, decode(found, value + 1, at));
                at++;
            }
        }
    }

    private static int indexOf(byte[] text, char wanted, int from, int end) {
        int at = from;
        while (at < end && text[at] != wanted) {
            at++;
        }
        return at;
    }

    /** Elements of a list of structs; each becomes a node when it is first asked for. */
    private static final class Structs extends AbstractList<JsonNode> {
        private final TypedScan.Found found;
        private final ScanType type;
        private final int[] entries;
        private final @Nullable JsonNode[] nodes;

        private Structs(TypedScan.Found found, int list, ScanType type) {
            this.found = found;
            this.type = type;
            int[] tape = found.tape();
            int size = tape[list + TypedScan.PARTS];
            entries = new int[size];
            nodes = new @Nullable JsonNode[size];
            int at = list + TypedScan.ENTRY;
            for (int i = 0; i < size; i++) {
                entries[i] = at;
                at = tape[at + TypedScan.NEXT];
            }
        }

        @Override
        public int size() {
            return entries.length;
        }

        @Override
        public JsonNode get(int index) {
            JsonNode known = nodes[index];
            if (known == null) {
                known = node(found, entries[index], type);
                nodes[index] = known;
            }
            return known;
        }
    }
}

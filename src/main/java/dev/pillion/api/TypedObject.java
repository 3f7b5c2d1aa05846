package dev.pillion.api;

import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.databind.node.ObjectNode;

/**
 * An object that was read by its type and so fits it (see {@link TypedDecode}). Its text is kept, and of its members only those become
 * nodes that somebody asks for. It cannot be changed; a deep copy can.
 */
public final class TypedObject extends ObjectNode implements JsonBytes.Written {
    private static final long serialVersionUID = 1;
    private static final int MOST_ASCII = 127;

    private final transient TypedScan.Found found;
    private final transient int entry;
    private final transient Shape shape;

    TypedObject(TypedScan.Found found, int entry, Shape shape) {
        super(Json.NODES, new TypedMembers(found, entry, shape));
        this.found = found;
        this.entry = entry;
        this.shape = shape;
    }

    boolean fits(String type, MemberTable table) {
        return shape.struct().equals(type) && table.shape(type) == shape;
    }

    /**
     * The index of the last element of a list of structs that may have a member with this string, such as an env with a name: -1 is certain,
     * and so is that none behind the index has it. Nothing becomes a node for the answer.
     */
    public int last(String list, String member, String value) {
        if (value.isEmpty() || !isAscii(value)) {
            // An absent member and null count as "", and other characters have several bytes.
            return Integer.MAX_VALUE;
        }
        int[] tape = found.tape();
        int wanted = shape.find(list);
        for (int at = entry + TypedScan.ENTRY; at < tape[entry + TypedScan.NEXT]; at = tape[at + TypedScan.NEXT]) {
            if (tape[at] == wanted) {
                return shape.type(wanted).isListOfStructs()
                        ? last(at, shape.type(wanted).item().shape().find(member), value)
                        : Integer.MAX_VALUE;
            }
        }
        return -1;
    }

    private int last(int list, int member, String value) {
        int[] tape = found.tape();
        int last = -1;
        int index = 0;
        for (int item = list + TypedScan.ENTRY; item < tape[list + TypedScan.NEXT]; item = tape[item + TypedScan.NEXT]) {
            for (int at = item + TypedScan.ENTRY; at < tape[item + TypedScan.NEXT]; at = tape[at + TypedScan.NEXT]) {
                if (tape[at] == member
                        && (tape[at + TypedScan.ESCAPED] != 0
                                || isThere(tape[at + TypedScan.START] + 1, tape[at + TypedScan.END] - 1, value))) {
                    last = index;
                }
            }
            index++;
        }
        return last;
    }

    private boolean isThere(int from, int to, String value) {
        if (to - from != value.length()) {
            return false;
        }
        byte[] text = found.text();
        for (int i = 0; i < value.length(); i++) {
            if (text[from + i] != value.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > MOST_ASCII) {
                return false;
            }
        }
        return true;
    }

    /** The member's map of texts, a null counting as ""; empty when there is none. Nothing becomes a node for it. */
    public Map<String, String> texts(String member) {
        Map<String, String> texts = new LinkedHashMap<>();
        int[] tape = found.tape();
        int wanted = shape.find(member);
        for (int at = entry + TypedScan.ENTRY; at < tape[entry + TypedScan.NEXT]; at = tape[at + TypedScan.NEXT]) {
            if (tape[at] == wanted) {
                ScanType type = shape.type(wanted);
                if (type.kind() == ScanType.Kind.MAP && type.item().kind() == ScanType.Kind.TEXT && !TypedNodes.isEscaped(found, at)
                        && found.text()[tape[at + TypedScan.START]] == '{') {
                    TypedNodes.texts(found, at, (name, value) -> texts.put(name, value == null ? "" : value));
                } else {
                    path(member).properties().forEach(e -> texts.put(e.getKey(), e.getValue().asString("")));
                }
            }
        }
        return texts;
    }

    /** As it came. */
    @Override
    public void writeTo(JsonBytes out) {
        out.plain(found.text(), found.tape()[entry + TypedScan.START], found.tape()[entry + TypedScan.END]);
    }
}

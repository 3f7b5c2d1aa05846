package dev.pillion.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/**
 * JSON text as Go's encoding/json writes it, byte for byte (api.md 6): compact, maps sorted by the bytes of their keys, structs in
 * declaration order, characters of HTML escaped. Hashes, revision names and annotations are made of such text.
 */
public final class GoJson {
    private static final String HEX = "0123456789abcdef";
    /** Of the first 128 characters 1 where one does not stand for itself; none beyond is looked at closely. */
    private static final byte[] SPECIAL = special();

    private GoJson() {
    }

    /** The text as a JSON string with its quotes (api.md 6, rule 4). */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        appendQuoted(out, text);
        return out.toString();
    }

    /** The same, behind what is there already. */
    public static void quote(StringBuilder out, String text) {
        appendQuoted(out, text);
    }

    /** The value as an untyped map would be written: keys sorted on every level, integers and number text kept. */
    public static String encode(JsonNode value) {
        StringBuilder out = new StringBuilder();
        appendUntyped(out, value, Numbers.AS_WRITTEN);
        return out.toString();
    }

    /** Like {@link #encode}, numbers passing through a 64-bit float as in ControllerRevision data (rollout.md 3.1.3). */
    public static String encodeThroughFloats(JsonNode value) {
        StringBuilder out = new StringBuilder();
        appendUntyped(out, value, Numbers.THROUGH_FLOATS);
        return out.toString();
    }

    /**
     * The value as the typed structs of the table encode it: members they lack are dropped, quantities printed by api.md 6.1, empty
     * members left out by Go's omitempty. Missing values, and values that would not decode, encode as the zero value; ask
     * {@link TypedDecode} first where that matters.
     *
     * @param type as in the table, such as "[]SidecarContainer"
     */
    public static String encodeTyped(JsonNode value, String type, MemberTable table) {
        StringBuilder out = new StringBuilder(512);
        appendTyped(out, value, table.type(type), table);
        return out.toString();
    }

    private enum Numbers {
        AS_WRITTEN, THROUGH_FLOATS
    }

    private static void appendUntyped(StringBuilder out, JsonNode value, Numbers numbers) {
        if (value.isObject()) {
            out.append('{');
            String separator = "";
            for (Map.Entry<String, JsonNode> entry : sorted(value)) {
                out.append(separator);
                appendQuoted(out, entry.getKey());
                appendUntyped(out.append(':'), entry.getValue(), numbers);
                separator = ",";
            }
            out.append('}');
        } else if (value.isArray()) {
            out.append('[');
            String separator = "";
            for (JsonNode item : value) {
                appendUntyped(out.append(separator), item, numbers);
                separator = ",";
            }
            out.append(']');
        } else if (value.isString()) {
            appendQuoted(out, value.stringValue());
        } else if (value.isNumber() && numbers == Numbers.THROUGH_FLOATS) {
            out.append(GoFloat.text(value.doubleValue()));
        } else {
            out.append(value.isMissingNode() ? "null" : value.toString());
        }
    }

    private static void appendTyped(StringBuilder out, JsonNode value, GoType type, MemberTable table) {
        boolean absent = !TypedDecode.fits(value, type);
        switch (type) {
            case GoType.Leaf leaf -> appendLeaf(out, value, leaf);
            case GoType.Raw() -> appendUntyped(out, value, Numbers.AS_WRITTEN);
            case GoType.Pointer(GoType target) -> {
                if (absent) {
                    out.append("null");
                } else {
                    appendTyped(out, value, target, table);
                }
            }
            case GoType.ListOf(GoType item) -> {
                if (absent) {
                    out.append("null");
                } else {
                    out.append('[');
                    String separator = "";
                    for (JsonNode element : value) {
                        appendTyped(out.append(separator), element, item, table);
                        separator = ",";
                    }
                    out.append(']');
                }
            }
            case GoType.MapOf(GoType item) -> {
                if (absent) {
                    out.append("null");
                } else {
                    out.append('{');
                    String separator = "";
                    for (Map.Entry<String, JsonNode> entry : sorted(value)) {
                        appendQuoted(out.append(separator), entry.getKey());
                        appendTyped(out.append(':'), entry.getValue(), item, table);
                        separator = ",";
                    }
                    out.append('}');
                }
            }
            case GoType.Struct(String name) -> appendStruct(out, value, name, table);
        }
    }

    private static void appendStruct(StringBuilder out, JsonNode value, String name, MemberTable table) {
        out.append('{');
        String separator = "";
        for (MemberTable.Member member : table.members(name)) {
            JsonNode content = value.path(member.name());
            if (member.omitEmpty() && isEmpty(content, member.type())) {
                continue;
            }
            appendQuoted(out.append(separator), member.name());
            appendTyped(out.append(':'), content, member.type(), table);
            separator = ",";
        }
        out.append('}');
    }

    private static void appendLeaf(StringBuilder out, JsonNode value, GoType.Leaf leaf) {
        boolean absent = !TypedDecode.fits(value, leaf);
        switch (leaf) {
            case TEXT -> appendQuoted(out, absent ? "" : value.stringValue());
            case BOOL -> out.append(!absent && value.booleanValue());
            case INT32, INT64 -> out.append(absent ? 0 : value.longValue());
            case INT_OR_STRING -> {
                if (!absent && value.isString()) {
                    appendQuoted(out, value.stringValue());
                } else {
                    out.append(absent ? 0 : value.longValue());
                }
            }
            case TIME -> {
                if (absent) {
                    out.append("null");
                } else {
                    appendQuoted(out, value.stringValue());
                }
            }
            case QUANTITY -> appendQuoted(out, absent ? "0" : TypedDecode.quantity(value).map(Quantity::toString).orElse("0"));
        }
    }

    /** Go's omitempty: structs and structured leaves held by value are never empty (api.md 6, rule 2). */
    private static boolean isEmpty(JsonNode value, GoType type) {
        if (type instanceof GoType.Struct || type == GoType.Leaf.QUANTITY || type == GoType.Leaf.INT_OR_STRING
                || type == GoType.Leaf.TIME) {
            return false;
        }
        if (!TypedDecode.fits(value, type)) {
            return true;
        }
        return switch (type) {
            case GoType.ListOf _,GoType.MapOf _ -> value.isEmpty();
            case GoType.Leaf leaf when leaf == GoType.Leaf.TEXT -> value.stringValue().isEmpty();
            case GoType.Leaf leaf when leaf == GoType.Leaf.BOOL -> !value.booleanValue();
            case GoType.Leaf _ -> value.longValue() == 0;
            case GoType.Pointer _,GoType.Raw _,GoType.Struct _ -> false;
        };
    }

    private static List<Map.Entry<String, JsonNode>> sorted(JsonNode object) {
        List<Map.Entry<String, JsonNode>> entries = new ArrayList<>(object.properties());
        entries.sort(Map.Entry.comparingByKey(ByteOrder.UTF8));
        return entries;
    }

    private static void appendQuoted(StringBuilder out, String text) {
        if (isPlain(text)) {
            out.append('"').append(text).append('"');
            return;
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '<', '>', '&' -> appendEscape(out, c);
                case '\u2028', '\u2029' -> appendEscape(out, c);
                default -> {
                    if (c < ' ') {
                        appendEscape(out, c);
                    } else if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else {
                        out.append(Character.isSurrogate(c) ? '\uFFFD' : c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isPlain(String text) {
        int kinds = 0;
        for (int i = 0; i < text.length(); i++) {
            // Without a branch, since hardly any text is not plain.
            char c = text.charAt(i);
            kinds |= SPECIAL[c & (SPECIAL.length - 1)] | (c & -SPECIAL.length);
        }
        return kinds == 0;
    }

    private static byte[] special() {
        byte[] special = new byte[128];
        for (char c = 0; c < special.length; c++) {
            special[c] = (byte) (c < ' ' || c > '~' || "\"\\<>&".indexOf(c) >= 0 ? 1 : 0);
        }
        return special;
    }

    private static void appendEscape(StringBuilder out, char c) {
        out.append("\\u").append(HEX.charAt(c >> 12)).append(HEX.charAt((c >> 8) & 15)).append(HEX.charAt((c >> 4) & 15))
                .append(HEX.charAt(c & 15));
    }
}

package dev.pillion.api;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Compact JSON on its way out, as bytes; the same text as {@link Json#bytes} makes. Nodes that have their text already give it as it is,
 * which is most of what a patch consists of. For one thread.
 */
public final class JsonBytes {
    /** A node that has its text already: one JSON value in UTF-8. */
    interface Written {
        void writeTo(JsonBytes out);
    }

    private static final int BYTE = 0xFF;
    private static final int ESCAPED = 1;
    private static final int DOUBTFUL = 2;
    private static final int RARE = 4;
    /** Of each byte of UTF-8 what it takes to write it in a string. */
    private static final byte[] KINDS = kinds();

    private byte[] bytes;
    private int length;

    /** @param expected about how many bytes there will be */
    public JsonBytes(int expected) {
        bytes = new byte[expected];
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** One text of three parts. */
    public static byte[] join(JsonBytes head, byte[] middle, JsonBytes tail) {
        byte[] all = new byte[head.length + middle.length + tail.length];
        System.arraycopy(head.bytes, 0, all, 0, head.length);
        System.arraycopy(middle, 0, all, head.length, middle.length);
        System.arraycopy(tail.bytes, 0, all, head.length + middle.length, tail.length);
        return all;
    }

    /** Not copied: nothing may be added afterwards. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /** What is written as it is: punctuation, names, numbers, base64. */
    public JsonBytes plain(String ascii) {
        int end = room(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[length + i] = (byte) ascii.charAt(i);
        }
        length = end;
        return this;
    }

    /** Part of a text that is JSON. */
    public JsonBytes plain(byte[] text, int from, int to) {
        int end = room(to - from);
        System.arraycopy(text, from, bytes, length, to - from);
        length = end;
        return this;
    }

    /** All of another text. */
    JsonBytes all(JsonBytes other) {
        return plain(other.bytes, 0, other.length);
    }

    /** Takes the bracket back that ended an object or a list, so that more can be written behind its last part. */
    JsonBytes reopen() {
        length--;
        return this;
    }

    /** A comma, unless the object or list has just begun with this bracket. */
    JsonBytes next(char begin) {
        return bytes[length - 1] == begin ? this : plain(',');
    }

    private JsonBytes plain(char ascii) {
        int end = room(1);
        bytes[length] = (byte) ascii;
        length = end;
        return this;
    }

    /** The end of so many more bytes. */
    private int room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        return length + more;
    }

    /** A string with its quotes. */
    @SuppressWarnings("deprecation") // of String.getBytes: it takes the low bytes only, which are all there is
    public JsonBytes string(String text) {
        if (isPlain(text)) {
            int last = room(text.length() + 2) - 1;
            bytes[length] = '"';
            text.getBytes(0, text.length(), bytes, length + 1);
            bytes[last] = '"';
            length = last + 1;
            return this;
        }
        // The JDK copies ASCII in one go. Other characters become negative bytes, but half a character becomes a question mark.
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        int end = room(2 * in.length + 3);
        byte[] out = bytes;
        int to = length;
        out[to++] = '"';
        int kinds = 0;
        for (byte b : in) {
            // Without a branch: in the annotations, which are JSON themselves, nobody could guess where the next quote is.
            int kind = KINDS[b & BYTE];
            kinds |= kind;
            out[to] = '\\';
            to += kind & ESCAPED;
            out[to++] = b;
        }
        if (kinds > ESCAPED && (kinds >= RARE || isCut(text, in))) {
            // The library knows all about escapes and surrogates.
            byte[] all = Json.bytes(Json.NODES.stringNode(text));
            return plain(all, 0, all.length);
        }
        out[to++] = '"';
        assert to <= end;
        length = to;
        return this;
    }

    /** Whether every character stands for itself and is one byte. */
    private static boolean isPlain(String text) {
        int kinds = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            kinds |= (KINDS[c & BYTE] & ~DOUBTFUL) | (c & ~BYTE);
        }
        return kinds == 0;
    }

    /** Whether a question mark stands for half a character. */
    private static boolean isCut(String text, byte[] ascii) {
        for (int i = 0; i < ascii.length; i++) {
            if (ascii[i] == '?' && text.charAt(i) != '?') {
                return true;
            }
        }
        return false;
    }

    private static byte[] kinds() {
        byte[] kinds = new byte[BYTE + 1];
        for (int b = 0; b <= BYTE; b++) {
            kinds[b] = (byte) (b < ' ' || b > Byte.MAX_VALUE ? RARE : b == '?' ? DOUBTFUL : b == '"' || b == '\\' ? ESCAPED : 0);
        }
        return kinds;
    }

    /** Any value. */
    public JsonBytes value(JsonNode node) {
        switch (node) {
            case Written written -> written.writeTo(this);
            case StringNode text -> string(text.stringValue());
            case ObjectNode object -> {
                char before = '{';
                for (Map.Entry<String, JsonNode> member : object.properties()) {
                    plain(before).string(member.getKey()).plain(':').value(member.getValue());
                    before = ',';
                }
                plain(before == '{' ? "{}" : "}");
            }
            case ArrayNode list -> {
                char before = '[';
                for (JsonNode item : list) {
                    plain(before).value(item);
                    before = ',';
                }
                plain(before == '[' ? "[]" : "]");
            }
            default -> {
                byte[] all = Json.bytes(node);
                plain(all, 0, all.length);
            }
        }
        return this;
    }

    /** A JSON Patch. */
    public JsonBytes patch(List<PatchOp> ops) {
        char before = '[';
        for (PatchOp op : ops) {
            plain(before).plain("{\"op\":\"").plain(op.op()).plain("\",\"path\":").string(op.path());
            op.value().ifPresent(v -> plain(",\"value\":").value(v));
            plain('}');
            before = ',';
        }
        return plain(before == '[' ? "[]" : "]");
    }
}

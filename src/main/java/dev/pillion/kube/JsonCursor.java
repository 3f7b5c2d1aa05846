package dev.pillion.kube;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/**
 * Reads JSON values from a stream of many and skips what is not wanted at the speed of looking for its end: of an event of 8 KiB most is
 * skipped, and a tokenizer would make names and tokens of all of it. Between two calls it stands before a value, or behind it.
 * <p>
 * Made for what the API server sends, which is valid JSON: what is skipped is not checked, but that its ends are found. Every value of
 * another kind than expected is skipped whole, above all the null arrays of bookmarks, so it never runs out of step. Each method may throw
 * {@link UncheckedIOException}: the stream broke, ended within a value or is no JSON.
 */
final class JsonCursor {
    private static final int FIRST_SIZE = 16 * 1024;

    private final @Nullable InputStream in;
    private final MemberNames names;
    private byte[] buffer;
    private int at;
    private int end;
    /** Start of what must stay in the buffer; -1 for nothing. */
    private int kept = -1;

    JsonCursor(InputStream in) {
        this.in = in;
        this.names = new MemberNames();
        this.buffer = new byte[FIRST_SIZE];
    }

    JsonCursor(byte[] values) {
        this(values, new MemberNames());
    }

    /**
     * @param values one or more; not changed, and not to be changed
     * @param names those of earlier values
     */
    JsonCursor(byte[] values, MemberNames names) {
        this.in = null;
        this.names = names;
        this.buffer = values;
        this.end = values.length;
    }

    /** Whether there is another value in the stream; the cursor then stands before it. */
    boolean nextRoot() {
        while (at < end || more()) {
            if (isSpace(buffer[at])) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Enters the object before the cursor; any other value is skipped. */
    boolean entersObject() {
        return enters('{');
    }

    boolean entersArray() {
        return enters('[');
    }

    private boolean enters(char wanted) {
        if (first() == wanted) {
            at++;
            return true;
        }
        skip();
        return false;
    }

    /** The name of the next member, whose value the cursor then stands before; null at the end of the object, which it leaves. */
    @Nullable
    String nextName() {
        if (!hasNext('}')) {
            return null;
        }
        if (buffer[at] != '"') {
            throw malformed();
        }
        at++;
        kept = at;
        int hash = 0;
        for (byte b = byteAt(); b != '"'; b = byteAt()) {
            if (b == '\\' || b < 0) {
                return oddName();
            }
            hash = 31 * hash + b;
            at++;
        }
        String name = names.of(buffer, kept, at, hash);
        at++;
        kept = -1;
        colon();
        return name;
    }

    /** A name with escapes or letters beyond ASCII; the cursor stands on the first of these. */
    private String oddName() {
        skipRestOfString();
        String name = JsonStrings.text(buffer, kept, at - 1);
        kept = -1;
        colon();
        return name;
    }

    private void colon() {
        if (first() != ':') {
            throw malformed();
        }
        at++;
    }

    /** Whether there is another item in the array, which the cursor then stands before; false at the end, which it leaves. */
    boolean nextItem() {
        return hasNext(']');
    }

    private boolean hasNext(char close) {
        byte b = first();
        if (b == ',') {
            at++;
            b = first();
        }
        if (b == close) {
            at++;
            return false;
        }
        return true;
    }

    /** Whether the value before the cursor, where it stays, is an object. */
    boolean atObject() {
        return first() == '{';
    }

    boolean atText() {
        return first() == '"';
    }

    /** The text; "" for a value of another kind. */
    String text() {
        if (atText()) {
            return string();
        }
        skip();
        return "";
    }

    /** Whether the value is a text, be it empty. */
    boolean isText() {
        boolean text = atText();
        skip();
        return text;
    }

    /** Whether the value is this text, of ASCII letters that need no escape. Makes no text. */
    boolean isText(String wanted) {
        if (!atText()) {
            skip();
            return false;
        }
        kept = at + 1;
        boolean escaped = skipString();
        int from = kept;
        int length = at - 1 - from;
        kept = -1;
        if (escaped) {
            return JsonStrings.text(buffer, from, from + length).equals(wanted);
        }
        boolean same = length == wanted.length();
        for (int i = 0; same && i < length; i++) {
            same = buffer[from + i] == wanted.charAt(i);
        }
        return same;
    }

    boolean bool() {
        boolean yes = first() == 't';
        skip();
        return yes;
    }

    /** The value as an int; 0 when it is no whole number of that size. */
    int number() {
        byte b = first();
        if (b != '-' && (b < '0' || b > '9')) {
            skip();
            return 0;
        }
        kept = at;
        skipPlain();
        String digits = new String(buffer, kept, at - kept, StandardCharsets.ISO_8859_1);
        kept = -1;
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The value as a tree. @throws tools.jackson.core.JacksonException when it is no valid JSON */
    JsonNode tree() {
        first();
        kept = at;
        skip();
        byte[] value = Arrays.copyOfRange(buffer, kept, at);
        kept = -1;
        return Json.MAPPER.readTree(value);
    }

    private String string() {
        kept = at + 1;
        boolean escaped = skipString();
        String text = escaped ? JsonStrings.text(buffer, kept, at - 1) : JsonStrings.plain(buffer, kept, at - 1);
        kept = -1;
        return text;
    }

    /** Moves behind the value. */
    void skip() {
        byte b = first();
        if (b == '"') {
            skipString();
        } else if (b == '{' || b == '[') {
            skipNested();
        } else {
            skipPlain();
        }
    }

    private void skipNested() {
        int depth = 0;
        do {
            byte b = byteAt();
            if (b == '"') {
                skipString();
                continue;
            }
            // '[' and '{' differ from ']' and '}' in the same way.
            if ((b | 0x20) == '{') {
                depth++;
            } else if ((b | 0x20) == '}') {
                depth--;
            }
            at++;
        } while (depth > 0);
    }

    /** Returns whether it has escapes. */
    private boolean skipString() {
        at++;
        return skipRestOfString();
    }

    private boolean skipRestOfString() {
        boolean escaped = false;
        while (true) {
            byte[] bytes = buffer;
            int i = at;
            int stop = end;
            while (i < stop && bytes[i] != '"' && bytes[i] != '\\') {
                i++;
            }
            at = i;
            if (i == stop) {
                require();
            } else if (bytes[i] == '"') {
                at++;
                return escaped;
            } else {
                escaped = true;
                at++;
                byteAt();
                at++;
            }
        }
    }

    /** A number or one of the words. */
    private void skipPlain() {
        boolean empty = true;
        while (at < end || more()) {
            byte b = buffer[at];
            if (b == ',' || b == '}' || b == ']' || isSpace(b)) {
                break;
            }
            at++;
            empty = false;
        }
        if (empty) {
            throw malformed();
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** The first byte that is no space; the cursor then stands on it. */
    private byte first() {
        byte b = byteAt();
        while (isSpace(b)) {
            at++;
            b = byteAt();
        }
        return b;
    }

    private byte byteAt() {
        if (at >= end) {
            require();
        }
        return buffer[at];
    }

    private void require() {
        if (!more()) {
            throw new UncheckedIOException(new EOFException("the stream ends within a value"));
        }
    }

    /** Reads on; what is kept moves to the front. */
    private boolean more() {
        if (in == null) {
            return false;
        }
        int from = kept < 0 ? at : kept;
        int rest = end - from;
        if (rest == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        } else if (rest > 0) {
            System.arraycopy(buffer, from, buffer, 0, rest);
        }
        at -= from;
        end = rest;
        kept = kept < 0 ? -1 : 0;
        try {
            int read = in.read(buffer, end, buffer.length - end);
            end += Math.max(read, 0);
            return read > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private UncheckedIOException malformed() {
        return new UncheckedIOException(
                new IOException("the stream is no JSON: unexpected '" + (char) buffer[Math.min(at, end - 1)] + "'"));
    }
}

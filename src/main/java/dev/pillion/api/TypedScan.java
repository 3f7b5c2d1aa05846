package dev.pillion.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.JsonScanner.UnusualException;

/**
 * Reads JSON text by a type in one pass: checks its grammar, checks each value against the type as {@link TypedDecode} does, and notes
 * where the members of structs stand. It takes only what is usual and certainly well-formed; for anything else it gives up, and the
 * common reader has to decide and to say what is wrong.
 */
final class TypedScan {
    /**
     * Ints of one entry: the member's id (or minus the index of an unknown name), start, end, index of the entry after its parts, and of a
     * struct or a list of structs the number of its parts, of anything else whether there is a backslash in it (1, else 0).
     */
    static final int ENTRY = 5;
    static final int START = 1;
    static final int END = 2;
    static final int NEXT = 3;
    static final int PARTS = 4;
    static final int ESCAPED = 4;

    private static final int DIGITS_INT = 9;
    private static final int DIGITS_LONG = 18;
    private static final int MOST_UNKNOWN = 32;
    private static final int SHORTEST_TAPE = 64;
    /** Of usual text; the tape grows for other text. */
    private static final int BYTES_PER_INT = 4;

    private final byte[] text;
    private final JsonScanner scanner;
    private int[] tape;
    private int used;

    /**
     * What a scan found.
     *
     * @param tape entries in the order of the text, each before its parts; parts are noted of structs and lists of structs
     * @param ascii whether all strings are
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(byte[] text, int[] tape, boolean ascii) {
    }

    private TypedScan(byte[] text) {
        this.text = text;
        this.scanner = new JsonScanner(text);
        this.tape = new int[Math.max(SHORTEST_TAPE, text.length / BYTES_PER_INT)];
    }

    /** The entry of the whole value is the first one. Null when the text is not usual. */
    static @Nullable Found scan(byte[] text, ScanType type) {
        TypedScan scan = new TypedScan(text);
        JsonScanner scanner = scan.scanner;
        try {
            scanner.blanks();
            scan.noted(type, 0);
            scanner.blanks();
        } catch (UnusualException _) {
            return null;
        }
        return scanner.isAtEnd() && (scanner.isAscii() || scanner.isUtf8()) ? new Found(text, scan.tape, scanner.isAscii()) : null;
    }

    /** Checks a value and notes where it stands. */
    private void noted(ScanType type, int id) {
        int entry = used;
        used += ENTRY;
        if (used > tape.length) {
            tape = Arrays.copyOf(tape, 2 * tape.length);
        }
        tape[entry] = id;
        tape[entry + START] = scanner.at();
        int escapes = scanner.escapes();
        int parts = checked(type);
        tape[entry + END] = scanner.at();
        tape[entry + NEXT] = used;
        tape[entry + PARTS] = type.hasParts() ? parts : Integer.signum(scanner.escapes() - escapes);
    }

    /** Answers the number of parts that were noted. */
    private int checked(ScanType type) {
        int c = scanner.peek();
        if (c == 'n') {
            scanner.word("null");
            return 0;
        }
        switch (type.kind()) {
            case TEXT -> scanner.string();
            case STRUCT -> {
                return struct(type.shape());
            }
            case LIST -> {
                return list(type);
            }
            case MAP -> map(type.item());
            case BOOL -> scanner.word(c == 't' ? "true" : "false");
            case INT32 -> scanner.integer(DIGITS_INT);
            case INT64 -> scanner.integer(DIGITS_LONG);
            case INT_OR_STRING -> {
                if (c == '"') {
                    scanner.string();
                } else {
                    scanner.integer(DIGITS_INT);
                }
            }
            case QUANTITY -> leaf(GoType.Leaf.QUANTITY, c);
            case TIME -> leaf(GoType.Leaf.TIME, c);
            case RAW -> scanner.any();
        }
        return 0;
    }

    private void leaf(GoType.Leaf leaf, int first) {
        int from = scanner.at();
        if (first == '"') {
            scanner.plainName();
        } else {
            scanner.number();
        }
        String value = new String(text, from, scanner.at() - from, StandardCharsets.UTF_8);
        if (!TypedDecode.fits(first == '"' ? Json.NODES.stringNode(value.substring(1, value.length() - 1)) : Json.read(value), leaf)) {
            throw new UnusualException();
        }
    }

    /** Whether the bytes between two indexes, without quotes and escapes, are a time. */
    static boolean isTime(byte[] text, int from, int to) {
        return TypedDecode.fits(Json.NODES.stringNode(new String(text, from, to - from, StandardCharsets.UTF_8)), GoType.Leaf.TIME);
    }

    private int struct(Shape shape) {
        long seen = 0;
        int parts = 0;
        int unknown = 0;
        int first = used;
        for (boolean more = scanner.opens('{', '}'); more; more = scanner.goesOn('}')) {
            parts++;
            int name = scanner.at();
            scanner.plainName();
            int id = shape.find(text, name + 1, scanner.at() - 1);
            scanner.colon();
            if (id == Shape.UNKNOWN) {
                if (++unknown > MOST_UNKNOWN || isRepeated(first, name)) {
                    throw new UnusualException();
                }
                noted(ScanType.ANY, -name);
            } else {
                // Of equal names the last one counts, which is no work for us.
                if (id >= Long.SIZE || (seen & (1L << id)) != 0) {
                    throw new UnusualException();
                }
                seen |= 1L << id;
                noted(shape.type(id), id);
            }
        }
        return parts;
    }

    private boolean isRepeated(int from, int name) {
        for (int entry = from; entry < used; entry = tape[entry + NEXT]) {
            int other = -tape[entry];
            if (other > 0 && isSameName(other, name)) {
                return true;
            }
        }
        return false;
    }

    private boolean isSameName(int one, int other) {
        int i = 1;
        while (text[one + i] == text[other + i] && text[one + i] != '"') {
            i++;
        }
        return text[one + i] == text[other + i];
    }

    private int list(ScanType type) {
        boolean structs = type.isListOfStructs();
        int parts = 0;
        for (boolean more = scanner.opens('[', ']'); more; more = scanner.goesOn(']')) {
            if (structs) {
                parts++;
                noted(type.item(), 0);
            } else {
                int _ = checked(type.item());
            }
        }
        return parts;
    }

    /** Names of a map may be anything and may repeat: the map is read as a whole. */
    private void map(ScanType item) {
        for (boolean more = scanner.opens('{', '}'); more; more = scanner.goesOn('}')) {
            scanner.name();
            scanner.colon();
            int _ = checked(item);
        }
    }
}

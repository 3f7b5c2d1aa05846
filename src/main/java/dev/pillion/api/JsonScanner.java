package dev.pillion.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Goes over JSON text and checks its grammar, for text that is usual; anything else ends it with {@link UnusualException}. */
final class JsonScanner {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = ONES << 7;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long BLANKS = ONES * ' ';
    /** Far below the common reader's own limits for depth, names and numbers. */
    private static final int DEEPEST = 100;
    private static final int LONGEST_NAME = 10_000;
    private static final int LONGEST_NUMBER = 30;
    private static final int HEX_DIGITS = 4;

    private final byte[] text;
    private int at;
    private int depth;
    private int escapes;
    /** All bytes of strings, and of what follows them, over one another. */
    private long bits;

    /** Ends the scan: not wrong perhaps, but not for us. */
    static final class UnusualException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnusualException() {
            super("", null, false, false);
        }
    }

    JsonScanner(byte[] text) {
        this.text = text;
    }

    /** The index of the next byte. */
    int at() {
        return at;
    }

    boolean isAtEnd() {
        return at >= text.length;
    }

    boolean isAscii() {
        return (bits & HIGH) == 0;
    }

    boolean isUtf8() {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).hasRemaining();
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    /** The next byte; 0 at the end. */
    int peek() {
        return at < text.length ? text[at] : 0;
    }

    void blanks() {
        for (int c = peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = peek()) {
            at++;
        }
    }

    private void expect(int wanted) {
        if (peek() != wanted) {
            throw new UnusualException();
        }
        at++;
    }

    /** Begins an object or a list; false: it is empty, and over already. */
    boolean opens(char open, char close) {
        expect(open);
        if (++depth > DEEPEST) {
            throw new UnusualException();
        }
        blanks();
        if (peek() != close) {
            return true;
        }
        at++;
        depth--;
        return false;
    }

    /** Behind one part: whether another one follows. If not, the object or list is over. */
    boolean goesOn(char close) {
        blanks();
        if (peek() == ',') {
            at++;
            blanks();
            return true;
        }
        expect(close);
        depth--;
        return false;
    }

    void colon() {
        if (peek() == ' ') {
            blanks();
        }
        expect(':');
        blanks();
    }

    void name() {
        int from = at;
        string();
        if (at - from > LONGEST_NAME) {
            throw new UnusualException();
        }
    }

    /** A name without escapes, so that its bytes are its text. */
    void plainName() {
        int from = at;
        expect('"');
        at = special(at);
        if (peek() != '"' || at - from > LONGEST_NAME) {
            throw new UnusualException();
        }
        at++;
    }

    void string() {
        expect('"');
        while (true) {
            at = special(at);
            int c = peek();
            at++;
            if (c == '"') {
                return;
            }
            if (c != '\\') {
                throw new UnusualException();
            }
            escape();
        }
    }

    /** How many escapes there were so far. */
    int escapes() {
        return escapes;
    }

    private void escape() {
        escapes++;
        int c = peek();
        at++;
        if (c == 'u') {
            for (int i = 0; i < HEX_DIGITS; i++) {
                if (Character.digit(peek(), 16) < 0) {
                    throw new UnusualException();
                }
                at++;
            }
        } else if ("\"\\/bfnrt".indexOf(c) < 0) {
            throw new UnusualException();
        }
    }

    /** The index of the next quote, backslash or control character; the end of the text when there is none. */
    private int special(int from) {
        int i = from;
        for (; i <= text.length - Long.BYTES; i += Long.BYTES) {
            long word = (long) LONGS.get(text, i);
            long quote = word ^ QUOTES;
            long backslash = word ^ BACKSLASHES;
            // The lowest bit is right; above it there may be false ones.
            long hits = (((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash) | ((word - BLANKS) & ~word)) & HIGH;
            bits |= word;
            if (hits != 0) {
                return i + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
        }
        while (i < text.length && text[i] != '"' && text[i] != '\\' && (text[i] < 0 || text[i] >= ' ')) {
            bits |= text[i];
            i++;
        }
        return i;
    }

    void word(String wanted) {
        for (int i = 0; i < wanted.length(); i++) {
            expect(wanted.charAt(i));
        }
    }

    void integer(int most) {
        if (peek() == '-') {
            at++;
        }
        int from = at;
        digits();
        int c = peek();
        if (at - from > most || c == '.' || c == 'e' || c == 'E') {
            throw new UnusualException();
        }
    }

    /** Whole or with a fraction; exponents are not usual. */
    void number() {
        int from = at;
        if (peek() == '-') {
            at++;
        }
        digits();
        if (peek() == '.') {
            at++;
            int fraction = at;
            while (peek() >= '0' && peek() <= '9') {
                at++;
            }
            if (at == fraction) {
                throw new UnusualException();
            }
        }
        if (at - from > LONGEST_NUMBER || peek() == 'e' || peek() == 'E') {
            throw new UnusualException();
        }
    }

    /** At least one, and no zero in front of others. */
    private void digits() {
        int from = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == from || (at > from + 1 && text[from] == '0')) {
            throw new UnusualException();
        }
    }

    /** Any value. */
    void any() {
        switch (peek()) {
            case '"' -> string();
            case '{' -> anyObject();
            case '[' -> anyList();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void anyObject() {
        for (boolean more = opens('{', '}'); more; more = goesOn('}')) {
            name();
            colon();
            any();
        }
    }

    private void anyList() {
        for (boolean more = opens('[', ']'); more; more = goesOn(']')) {
            any();
        }
    }
}

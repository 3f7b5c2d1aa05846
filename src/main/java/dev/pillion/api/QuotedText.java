package dev.pillion.api;

import java.util.Arrays;

import tools.jackson.databind.node.StringNode;

/**
 * A string that was put together from pieces which are known in both forms: as text, and as they stand inside a JSON string. Long texts
 * that are JSON themselves have a character to escape every few bytes, and most of each is the same for every Pod.
 */
public final class QuotedText extends StringNode implements JsonBytes.Written {
    private static final long serialVersionUID = 1;

    private final transient JsonBytes quoted;

    private QuotedText(String text, JsonBytes quoted) {
        super(text);
        this.quoted = quoted;
    }

    /** A part of a text; never changed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Piece(String text, byte[] quoted) {
        public static Piece of(String text) {
            byte[] all = new JsonBytes(text.length() + 2).string(text).toBytes();
            return new Piece(text, Arrays.copyOfRange(all, 1, all.length - 1));
        }
    }

    /** Takes pieces in their order. For one thread. */
    public static final class Builder {
        private final StringBuilder text;
        private final JsonBytes quoted;

        /** @param expected about how many characters there will be */
        public Builder(int expected) {
            text = new StringBuilder(expected);
            quoted = new JsonBytes(expected + expected / 2);
            quoted.plain("\"");
        }

        public Builder add(Piece piece) {
            text.append(piece.text);
            quoted.plain(piece.quoted, 0, piece.quoted.length);
            return this;
        }

        /** Nothing may be added afterwards. */
        public QuotedText build() {
            return new QuotedText(text.toString(), quoted.plain("\""));
        }
    }

    @Override
    public void writeTo(JsonBytes out) {
        out.all(quoted);
    }
}

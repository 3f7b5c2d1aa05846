package dev.pillion.api;

import java.util.Arrays;
import java.util.List;

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

    /** The pieces in their order. */
    public static QuotedText of(List<Piece> pieces) {
        int characters = 0;
        int bytes = 2;
        for (Piece piece : pieces) {
            characters += piece.text.length();
            bytes += piece.quoted.length;
        }
        StringBuilder text = new StringBuilder(characters);
        JsonBytes quoted = new JsonBytes(bytes).plain("\"");
        for (Piece piece : pieces) {
            text.append(piece.text);
            quoted.plain(piece.quoted, 0, piece.quoted.length);
        }
        return new QuotedText(text.toString(), quoted.plain("\""));
    }

    @Override
    public void writeTo(JsonBytes out) {
        out.all(quoted);
    }
}

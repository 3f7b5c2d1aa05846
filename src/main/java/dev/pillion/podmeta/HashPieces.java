package dev.pillion.podmeta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.GoJson;
import dev.pillion.api.QuotedText;
import dev.pillion.api.QuotedText.Piece;
import dev.pillion.podmeta.HashAnnotation.Entry;

/**
 * An entry of a hash annotation whose time alone is still open, so that nothing of it has to be quoted for each Pod (api.md 4.2).
 *
 * @param head up to the time
 * @param tail behind it
 */
public record HashPieces(Piece head, Piece tail) {
    private static final Piece OPEN = Piece.of("{");
    private static final Piece BETWEEN = Piece.of(",");
    private static final Piece CLOSE = Piece.of("}");
    private static final Piece EMPTY = Piece.of("{}");
    /** Of an entry. */
    private static final int PIECES = 4;

    /**
     * Takes an entry apart.
     *
     * @param name the member it will be
     * @param entry its time does not matter
     */
    public static HashPieces of(String name, Entry entry) {
        String marked = HashAnnotation.text(Map.of(name, new Entry(Optional.empty(), entry.hash(), entry.sidecarSetName(),
                entry.sidecarList(), entry.controllerRevision())));
        String head = GoJson.quote(name) + ":{\"updateTimestamp\":";
        return new HashPieces(Piece.of(head), Piece.of(marked.substring(1 + head.length() + "null".length(), marked.length() - 1)));
    }

    /** The annotation with these entries, which are to come in the order of their names' bytes. */
    public static QuotedText text(Collection<HashPieces> entries, String time) {
        Piece quoted = Piece.of(GoJson.quote(time));
        List<Piece> pieces = new ArrayList<>(PIECES * entries.size() + 2);
        Piece before = OPEN;
        for (HashPieces entry : entries) {
            pieces.add(before);
            pieces.add(entry.head);
            pieces.add(quoted);
            pieces.add(entry.tail);
            before = BETWEEN;
        }
        pieces.add(entries.isEmpty() ? EMPTY : CLOSE);
        return QuotedText.of(pieces);
    }
}

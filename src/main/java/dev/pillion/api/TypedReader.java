package dev.pillion.api;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/**
 * Reads texts of one type, many of which are alike: the Pods of a workload differ in uid, times and generated names only, which have one
 * length. Of such a text only the differences are looked at, and where its values stand is taken over from the one before. Safe for all
 * threads.
 */
public final class TypedReader {
    private static final int LONGEST = 32 * 1024;
    /** A power of two; at most this many texts of the greatest length are kept, with as much again for the places of their values. */
    private static final int SLOTS = 128;
    /** Texts of one length that find room. */
    private static final int WAYS = 4;
    private static final int SPREAD = 0x9E3779B1;

    private final ScanType type;
    private final Shape shape;
    private final AtomicReferenceArray<@Nullable TextTemplate> templates = new AtomicReferenceArray<>(SLOTS);
    /** Lengths of texts that are not kept yet. */
    private final AtomicIntegerArray lengths = new AtomicIntegerArray(SLOTS);
    private final AtomicInteger turn = new AtomicInteger();

    /** @param struct type of the texts, such as "AdmissionReview" */
    public TypedReader(String struct, MemberTable table) {
        this.type = table.scanType(struct);
        this.shape = table.shape(struct);
    }

    /**
     * Reads one JSON value; the text must not change afterwards.
     *
     * @return empty when the text is not usual, or does not fit: then {@link Json#read(byte[])} and {@link TypedDecode} have to tell
     */
    public Optional<ObjectNode> read(byte[] text) {
        if (text.length == 0 || text[0] != '{') {
            return Optional.empty();
        }
        TypedScan.Found found = known(text);
        if (found == null) {
            found = TypedScan.scan(text, type);
            if (found == null) {
                return Optional.empty();
            }
            keep(found);
        }
        return Optional.of(new TypedObject(found, 0, shape));
    }

    /** What a scan would find, when a text like this one has been kept. */
    TypedScan.@Nullable Found known(byte[] text) {
        for (int way = 0; way < WAYS; way++) {
            TextTemplate template = templates.get(slot(text.length, way));
            TypedScan.Found found = template == null ? null : template.fit(text);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private void keep(TypedScan.Found found) {
        int length = found.text().length;
        // In texts that are not ASCII, a byte is no character. The first one of a length may be the only one: that is not worth keeping.
        if (found.ascii() && length <= LONGEST && lengths.getAndSet(slot(length, 0), length) == length) {
            templates.set(slot(length, Math.floorMod(turn.getAndIncrement(), WAYS)), TextTemplate.of(found, type));
        }
    }

    private static int slot(int length, int way) {
        return (((length * SPREAD) >>> Byte.SIZE) + way) & (SLOTS - 1);
    }

    /** A text that has been scanned, with the places where another one may differ from it without being read in another way. */
    private static final class TextTemplate {
        /** Ints of one place: start, end, whether it must be a time (1, else 0). */
        private static final int PLACE = 3;

        private final TypedScan.Found found;
        private int[] places = new int[Long.SIZE];
        private int used;

        private TextTemplate(TypedScan.Found found) {
            this.found = found;
        }

        static TextTemplate of(TypedScan.Found found, ScanType type) {
            int[] tape = found.tape();
            TextTemplate template = new TextTemplate(
                    new TypedScan.Found(found.text(), Arrays.copyOf(tape, tape[TypedScan.NEXT]), found.ascii()));
            template.note(0, type);
            template.places = Arrays.copyOf(template.places, template.used);
            return template;
        }

        private void note(int entry, ScanType type) {
            int[] tape = found.tape();
            int start = tape[entry + TypedScan.START];
            int end = tape[entry + TypedScan.END];
            boolean isText = found.text()[start] == '"';
            switch (type.kind()) {
                case STRUCT -> {
                    for (int at = entry + TypedScan.ENTRY; at < tape[entry + TypedScan.NEXT]; at = tape[at + TypedScan.NEXT]) {
                        if (tape[at] >= 0) {
                            note(at, type.shape().type(tape[at]));
                        }
                    }
                }
                case LIST -> {
                    for (int at = entry + TypedScan.ENTRY; at < tape[entry + TypedScan.NEXT]; at = tape[at + TypedScan.NEXT]) {
                        note(at, type.item());
                    }
                }
                case TEXT -> {
                    if (isText && tape[entry + TypedScan.ESCAPED] == 0) {
                        add(start + 1, end - 1, 0);
                    }
                }
                case TIME -> {
                    if (isText) {
                        add(start + 1, end - 1, 1);
                    }
                }
                case MAP -> {
                    if (type.item().kind() == ScanType.Kind.TEXT && tape[entry + TypedScan.ESCAPED] == 0) {
                        quoted(start, end);
                    }
                }
                case BOOL, INT32, INT64, QUANTITY, INT_OR_STRING, RAW -> {
                    // Rarely different, or read in more ways than one.
                }
            }
        }

        /** A map of texts without escapes: whatever stands between quotes is a name or a value, and names may be anything. */
        private void quoted(int start, int end) {
            byte[] text = found.text();
            int open = -1;
            for (int i = start; i < end; i++) {
                if (text[i] == '"') {
                    if (open >= 0) {
                        add(open, i, 0);
                        open = -1;
                    } else {
                        open = i + 1;
                    }
                }
            }
        }

        private void add(int start, int end, int time) {
            if (used + PLACE > places.length) {
                places = Arrays.copyOf(places, 2 * places.length);
            }
            places[used++] = start;
            places[used++] = end;
            places[used++] = time;
        }

        /** Null when the text differs in more than the places. */
        TypedScan.@Nullable Found fit(byte[] text) {
            byte[] known = found.text();
            int length = text.length;
            if (length != known.length) {
                return null;
            }
            int at = 0;
            int place = 0;
            while (true) {
                int same = Arrays.mismatch(text, at, length, known, at, length);
                if (same < 0) {
                    return new TypedScan.Found(text, found.tape(), true);
                }
                at += same;
                while (place < used && places[place + 1] <= at) {
                    place += PLACE;
                }
                if (place == used || places[place] > at || !isFree(text, place)) {
                    return null;
                }
                at = places[place + 1];
            }
        }

        /** Whether what the text has at a place can stand there. */
        private boolean isFree(byte[] text, int place) {
            int start = places[place];
            int end = places[place + 1];
            for (int i = start; i < end; i++) {
                // Negative ones are no ASCII.
                if (text[i] < ' ' || text[i] == '"' || text[i] == '\\') {
                    return false;
                }
            }
            return places[place + 2] == 0 || TypedScan.isTime(text, start, end);
        }
    }
}

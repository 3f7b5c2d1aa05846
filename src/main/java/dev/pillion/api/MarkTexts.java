package dev.pillion.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Annotation texts by key, exactly as they are. Those of most Pods of a set differ in nothing but the moments of injection and upgrade, so
 * these are kept apart, and what is left, the shapes, can be shared. Immutable.
 */
public final class MarkTexts {
    public static final MarkTexts NONE = new MarkTexts(Map.of(), new int[0], true);

    /** Annotations with times, in the order in which the times are kept. */
    private static final List<String> TIMED = List.of(Wire.HASH, Wire.HASH_WITHOUT_IMAGE, Wire.IN_PLACE_STATE);
    private static final String MEMBER = "\"updateTimestamp\":\"";
    /** As Kubernetes writes times; zeros stand for any digit. */
    private static final String TIME = "0000-00-00T00:00:00Z";
    private static final char CUT = '\u0001';
    /** The end of 2105. */
    private static final long LAST = 4_291_747_199L;

    private final Map<String, String> shapes;
    /** Seconds since 1970, unsigned. */
    private final int[] times;
    private final boolean shareable;

    private MarkTexts(Map<String, String> shapes, int[] times, boolean shareable) {
        this.shapes = shapes;
        this.times = times;
        this.shareable = shareable;
    }

    public static MarkTexts of(Map<String, String> texts) {
        if (texts.isEmpty()) {
            return NONE;
        }
        if (texts.values().stream().anyMatch(text -> text.indexOf(CUT) >= 0)) {
            return new MarkTexts(Map.copyOf(texts), new int[0], false);
        }
        Times times = new Times();
        Map<String, String> shapes = new HashMap<>(texts);
        for (String key : TIMED) {
            shapes.computeIfPresent(key, (_, text) -> cut(text, times));
        }
        return new MarkTexts(Map.copyOf(shapes), times.toArray(), true);
    }

    private static String cut(String text, Times times) {
        StringBuilder shape = new StringBuilder(text.length());
        int done = 0;
        for (int at = text.indexOf(MEMBER); at >= 0; at = text.indexOf(MEMBER, at + MEMBER.length())) {
            int from = at + MEMBER.length();
            if (isTime(text, from) && times.add(text, from)) {
                shape.append(text, done, from).append(CUT);
                done = from + TIME.length();
            }
        }
        return done == 0 ? text : shape.append(text, done, text.length()).toString();
    }

    private static boolean isTime(String text, int from) {
        if (text.length() <= from + TIME.length() || text.charAt(from + TIME.length()) != '"') {
            return false;
        }
        for (int i = 0; i < TIME.length(); i++) {
            char c = text.charAt(from + i);
            if (TIME.charAt(i) == '0' ? c < '0' || c > '9' : c != TIME.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    public boolean isEmpty() {
        return shapes.isEmpty();
    }

    /** The text of a key; "" when there is none. */
    public String text(String key) {
        String shape = shapes.getOrDefault(key, "");
        if (times.length == 0 || !TIMED.contains(key)) {
            return shape;
        }
        int next = 0;
        for (String earlier : TIMED.subList(0, TIMED.indexOf(key))) {
            next += (int) shapes.getOrDefault(earlier, "").chars().filter(c -> c == CUT).count();
        }
        StringBuilder text = new StringBuilder(shape.length() + TIME.length() * times.length);
        for (int i = 0; i < shape.length(); i++) {
            char c = shape.charAt(i);
            if (c == CUT) {
                text.append(time(times[next++]));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static String time(int seconds) {
        return GoTime.write(Instant.ofEpochSecond(Integer.toUnsignedLong(seconds)));
    }

    /** All texts by key. */
    public Map<String, String> all() {
        Map<String, String> texts = new HashMap<>();
        shapes.keySet().forEach(key -> texts.put(key, text(key)));
        return texts;
    }

    /** The texts without their times, to find others of the same shapes by. */
    public Map<String, String> shapes() {
        return shapes;
    }

    /** Whether texts of equal shapes mean the same but for their times; not so for odd ones that look as if a time had been cut out. */
    public boolean isShareable() {
        return shareable;
    }

    /** The same texts, with the shapes of the other, which must be equal and shareable like these. */
    public MarkTexts sharing(MarkTexts other) {
        if (!other.shapes.equals(shapes) || !shareable || !other.shareable) {
            throw new IllegalArgumentException("texts of other shapes");
        }
        return new MarkTexts(other.shapes, times, true);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MarkTexts texts && shareable == texts.shareable && Arrays.equals(times, texts.times)
                && shapes.equals(texts.shapes);
    }

    @Override
    public int hashCode() {
        return 31 * shapes.hashCode() + Arrays.hashCode(times);
    }

    @Override
    public String toString() {
        return all().toString();
    }

    /** Times in the order found. */
    private static final class Times {
        private int[] seconds = new int[6];
        private int size;

        /** Whether the text names a time there that can be kept. */
        boolean add(String text, int from) {
            Optional<Instant> time = GoTime.read(text.substring(from, from + TIME.length()));
            if (time.isEmpty() || time.get().getEpochSecond() < 0 || time.get().getEpochSecond() > LAST) {
                return false;
            }
            if (size == seconds.length) {
                seconds = Arrays.copyOf(seconds, 2 * size);
            }
            seconds[size++] = (int) time.get().getEpochSecond();
            return true;
        }

        int[] toArray() {
            return Arrays.copyOf(seconds, size);
        }
    }
}

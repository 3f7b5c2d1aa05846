package dev.pillion.podmeta;

import java.util.Comparator;
import java.util.Iterator;

/** Text in the bytes the reference writes: its escapes inside strings (rollout.md 3.1.2), its key order (UTF-8 bytes). */
final class GoText {
    /** Orders like the UTF-8 bytes, which is the order of code points. */
    static final Comparator<String> BYTES = (a, b) -> {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            if (a.charAt(i) != b.charAt(i)) {
                return Integer.compare(a.codePointAt(start(a, i)), b.codePointAt(start(b, i)));
            }
        }
        return Integer.compare(a.length(), b.length());
    };

    private GoText() {
    }

    private static int start(String text, int at) {
        return at > 0 && Character.isLowSurrogate(text.charAt(at)) && Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at;
    }

    static StringBuilder quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '<', '>', '&', '\u2028', '\u2029' -> escape(out, c);
                default -> {
                    if (c < 0x20) {
                        escape(out, c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"');
    }

    private static void escape(StringBuilder out, char c) {
        out.append(String.format("\\u%04x", (int) c));
    }

    /** A list of strings, compact. */
    static StringBuilder list(StringBuilder out, Iterable<String> items) {
        out.append('[');
        for (Iterator<String> i = items.iterator(); i.hasNext();) {
            quote(out, i.next());
            if (i.hasNext()) {
                out.append(',');
            }
        }
        return out.append(']');
    }
}

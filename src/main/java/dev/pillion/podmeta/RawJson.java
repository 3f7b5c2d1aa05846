package dev.pillion.podmeta;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoJson;
import dev.pillion.api.Json;

/**
 * JSON text that is taken apart only where a merge touches it, so that everything else keeps its member order, number text and string
 * escapes (injection.md 8). A mutable working value of one merge.
 */
sealed interface RawJson {
    /** Untouched text of any kind but null. */
    record Text(String text) implements RawJson {
    }

    /** An object; a value that is absent stands for null. Members are written in the order of their bytes. */
    record Doc(SortedMap<String, Optional<RawJson>> members) implements RawJson {
    }

    record Items(List<Optional<RawJson>> items) implements RawJson {
    }

    /** The value of a text; empty for null. The text must be one valid JSON value. */
    static Optional<RawJson> of(String valid) {
        String text = valid.strip();
        return text.equals("null") ? Optional.empty() : Optional.of(new Text(text));
    }

    /** The value as an object, one level taken apart; empty when it is none. */
    static Optional<Doc> asDoc(RawJson value) {
        return switch (value) {
            case Doc doc -> Optional.of(doc);
            case Items _ -> Optional.empty();
            case Text(String text) when text.charAt(0) == '{' -> {
                SortedMap<String, Optional<RawJson>> members = new TreeMap<>(ByteOrder.UTF8);
                List<String> parts = split(text);
                for (int i = 0; i + 1 < parts.size(); i += 2) {
                    members.put(Json.read(parts.get(i)).stringValue(), of(parts.get(i + 1)));
                }
                yield Optional.of(new Doc(members));
            }
            case Text _ -> Optional.empty();
        };
    }

    /** The value as a list, one level taken apart; empty when it is none. */
    static Optional<Items> asItems(RawJson value) {
        return switch (value) {
            case Items items -> Optional.of(items);
            case Doc _ -> Optional.empty();
            case Text(String text) when text.charAt(0) == '[' -> Optional.of(new Items(split(text).stream().map(RawJson::of).toList()));
            case Text _ -> Optional.empty();
        };
    }

    /** Compact text; objects taken apart have sorted members, the rest stands as written, apart from HTML escapes. */
    static void write(StringBuilder out, Optional<RawJson> value) {
        if (value.isEmpty()) {
            out.append("null");
            return;
        }
        switch (value.get()) {
            case Text(String text) -> compact(out, text);
            case Doc(SortedMap<String, Optional<RawJson>> members) -> {
                String separator = "{";
                for (var member : members.entrySet()) {
                    out.append(separator).append(GoJson.quote(member.getKey())).append(':');
                    write(out, member.getValue());
                    separator = ",";
                }
                out.append(members.isEmpty() ? "{}" : "}");
            }
            case Items(List<Optional<RawJson>> items) -> {
                String separator = "[";
                for (Optional<RawJson> item : items) {
                    write(out.append(separator), item);
                    separator = ",";
                }
                out.append(items.isEmpty() ? "[]" : "]");
            }
        }
    }

    private static void compact(StringBuilder out, String text) {
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                out.append(c).append(text.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
                out.append(c);
            } else if (quoted || !Character.isWhitespace(c)) {
                switch (c) {
                    case '<', '>', '&', '\u2028', '\u2029' -> out.append(String.format("\\u%04x", (int) c));
                    default -> out.append(c);
                }
            }
        }
    }

    /** The parts of an object (keys and values in turn) or a list, between the outer brackets. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        boolean quoted = false;
        int start = 1;
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (quoted) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            } else if (depth == 0 && (c == ',' || c == ':')) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        String last = text.substring(start, text.length() - 1);
        if (!parts.isEmpty() || !last.isBlank()) {
            parts.add(last);
        }
        return parts;
    }
}

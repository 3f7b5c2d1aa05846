package dev.pillion.sandbox;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The query of a URL. Of a repeated name the first value counts, except where all are asked for. */
record Parameters(Map<String, List<String>> values) {

    static Parameters parse(String query) {
        Map<String, List<String>> values = new TreeMap<>();
        for (String pair : List.of(query.split("&", -1))) {
            if (pair.isEmpty()) {
                continue;
            }
            int sign = pair.indexOf('=');
            String name = decode(sign < 0 ? pair : pair.substring(0, sign));
            values.computeIfAbsent(name, _ -> new java.util.ArrayList<>()).add(sign < 0 ? "" : decode(pair.substring(sign + 1)));
        }
        return new Parameters(values);
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw ApiError.badRequest("the query of the URL is not valid");
        }
    }

    String text(String name) {
        List<String> all = values.getOrDefault(name, List.of());
        return all.isEmpty() ? "" : all.getFirst();
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** "1" and "true" mean yes. */
    boolean flag(String name) {
        String text = text(name);
        return text.equals("true") || text.equals("1") || (text.isEmpty() && values.containsKey(name));
    }

    /** 0 when absent. */
    int number(String name) {
        String text = text(name);
        try {
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw ApiError.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
        }
    }

    /** 0 when absent, empty when it is no revision. */
    OptionalLong revision(String name) {
        String text = text(name);
        try {
            long revision = text.isEmpty() ? 0 : Long.parseLong(text);
            return revision < 0 ? OptionalLong.empty() : OptionalLong.of(revision);
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }

    static String notANumber(String text) {
        return "Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text + "\": invalid syntax";
    }
}

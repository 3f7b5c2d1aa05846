package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Parameter labelSelector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, `a>1`, `a<1`, joined by commas. */
final class LabelSelection {
    private final String text;
    private int at;

    private LabelSelection(String text) {
        this.text = text;
    }

    /** A test on labels; an empty text lets everything pass. Throws 400 when the text is no selector. */
    static Predicate<Map<String, String>> parse(String text) {
        return new LabelSelection(text).all();
    }

    private Predicate<Map<String, String>> all() {
        List<Predicate<Map<String, String>>> parts = new ArrayList<>();
        blanks();
        while (at < text.length()) {
            parts.add(part());
            blanks();
            if (at < text.length()) {
                expect(',');
                blanks();
                if (at == text.length()) {
                    throw ApiError.badRequest("found '', expected: identifier after ','");
                }
            }
        }
        return labels -> parts.stream().allMatch(part -> part.test(labels));
    }

    private Predicate<Map<String, String>> part() {
        if (peek() == '!') {
            at++;
            blanks();
            String key = word();
            return labels -> !labels.containsKey(key);
        }
        String key = word();
        blanks();
        if (at == text.length() || peek() == ',') {
            return labels -> labels.containsKey(key);
        }
        char sign = peek();
        if (sign == '=' || sign == '!') {
            at++;
            if (sign == '!') {
                expect('=');
            } else if (at < text.length() && peek() == '=') {
                at++;
            }
            blanks();
            String value = optionalWord();
            return sign == '=' ? labels -> value.equals(labels.get(key)) : labels -> !value.equals(labels.get(key));
        }
        if (sign == '>' || sign == '<') {
            at++;
            blanks();
            long bound = number(word());
            return labels -> compares(labels.get(key), sign, bound);
        }
        return set(key, word());
    }

    private Predicate<Map<String, String>> set(String key, String operator) {
        blanks();
        if (at == text.length()) {
            throw bad("found '' expected: '('");
        }
        expect('(');
        List<String> values = new ArrayList<>();
        blanks();
        while (peek() != ')') {
            values.add(optionalWord());
            blanks();
            if (peek() == ',') {
                at++;
                blanks();
                if (peek() == ')') {
                    values.add("");
                }
            }
        }
        at++;
        return switch (operator) {
            case "in" -> labels -> labels.containsKey(key) && values.contains(labels.get(key));
            case "notin" -> labels -> !labels.containsKey(key) || !values.contains(labels.get(key));
            default -> throw bad("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
        };
    }

    private static boolean compares(@org.jspecify.annotations.Nullable String label, char sign, long bound) {
        try {
            return label != null && (sign == '>' ? Long.parseLong(label) > bound : Long.parseLong(label) < bound);
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException _) {
            throw bad("for 'Gt', 'Lt' operators, the value must be an integer");
        }
    }

    private String word() {
        String word = optionalWord();
        if (word.isEmpty()) {
            throw ApiError.badRequest("found '" + text.substring(at) + "', expected: !, identifier, or 'end of string'");
        }
        return word;
    }

    private String optionalWord() {
        int start = at;
        while (at < text.length() && "=!,()<> \t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(start, at);
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw bad("found '', expected: ',' or ')'");
        }
        return text.charAt(at);
    }

    private void expect(char sign) {
        if (peek() != sign) {
            throw bad("found '" + text.substring(at) + "', expected: '" + sign + "'");
        }
        at++;
    }

    private ApiError bad(String why) {
        return ApiError.badRequest("unable to parse requirement: " + why);
    }
}

package dev.pillion.expr;

import java.util.Set;

/** Cuts an expression into tokens (injection.md 9.1). */
final class Lexer {
    private static final Set<String> SUFFIXES = Set.of("m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi");

    private final String text;
    private int next;
    private int line = 1;
    private int lineStart;

    Lexer(String text) {
        this.text = text;
    }

    Token next() {
        while (next < text.length() && isSpace(text.charAt(next))) {
            if (text.charAt(next++) == '\n') {
                line++;
                lineStart = next;
            }
        }
        int start = next;
        if (start >= text.length() || text.charAt(start) == 0) {
            // Compatible: a NUL ends the input.
            return token(Token.Kind.END, start);
        }
        char first = text.charAt(start);
        if ("+-*/(),".indexOf(first) >= 0) {
            next++;
            return token(Token.Kind.OPERATOR, start);
        }
        if (isLetter(first)) {
            while (next < text.length() && (isLetter(text.charAt(next)) || isDigit(text.charAt(next)) || text.charAt(next) == '_')) {
                next++;
            }
            return token(Token.Kind.NAME, start);
        }
        if (isDigit(first) || first == '.') {
            readNumber();
            return token(isQuantity(text.substring(start, next)) ? Token.Kind.QUANTITY : Token.Kind.NUMBER, start);
        }
        next++;
        return token(Token.Kind.OTHER, start);
    }

    private Token token(Token.Kind kind, int start) {
        return new Token(kind, text.substring(start, next), line, start - lineStart + 1);
    }

    /** Compatible: takes more than a number's form allows, such as 50%5 or 5x; what cannot be read counts as 0 later. */
    private void readNumber() {
        boolean point = false;
        boolean exponent = false;
        boolean percent = false;
        boolean awaitsDigit = false;
        while (next < text.length()) {
            char c = text.charAt(next);
            if (isDigit(c)) {
                awaitsDigit = false;
            } else if (c == '.' && !point && !exponent && !percent) {
                point = true;
            } else if ((c == 'e' || c == 'E') && !exponent && !percent) {
                exponent = true;
                awaitsDigit = true;
            } else if ((c == '+' || c == '-') && exponent && isExponentSign(text.charAt(next - 1))) {
                awaitsDigit = true;
            } else if (c == '%' && !percent) {
                percent = true;
            } else {
                if (isLetter(c) && !awaitsDigit) {
                    while (next < text.length() && isLetter(text.charAt(next))) {
                        next++;
                    }
                }
                return;
            }
            next++;
        }
    }

    private static boolean isExponentSign(char before) {
        return before == 'e' || before == 'E';
    }

    private static boolean isQuantity(String token) {
        int end = 0;
        while (end < token.length() && (isDigit(token.charAt(end)) || ".eE+-".indexOf(token.charAt(end)) >= 0)) {
            end++;
        }
        return SUFFIXES.contains(token.substring(end));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

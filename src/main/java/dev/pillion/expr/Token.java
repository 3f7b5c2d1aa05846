package dev.pillion.expr;

/** One token of an expression. at: characters before it on its line, plus one. */
record Token(Kind kind, String text, int line, int at) {
    /** Operators and brackets have their own character as text. */
    enum Kind {
        NUMBER, QUANTITY, NAME, OPERATOR, OTHER, END
    }

    boolean is(char operator) {
        return kind == Kind.OPERATOR && text.charAt(0) == operator;
    }

    String describe() {
        return kind == Kind.END ? "end of expression" : "\"" + text + "\"";
    }
}

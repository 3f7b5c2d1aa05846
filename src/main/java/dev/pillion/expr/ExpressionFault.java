package dev.pillion.expr;

/** Ends parsing or computing; never leaves the package. */
final class ExpressionFault extends Exception {
    private static final long serialVersionUID = 1;

    ExpressionFault(String message) {
        super(message, null, false, false);
    }

    String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}

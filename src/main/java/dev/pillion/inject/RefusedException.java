package dev.pillion.inject;

/** Ends the work on a request that must be denied; becomes Injection.Refuse and never leaves the package. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final String reason;
    private final String text;

    RefusedException(int code, String reason, String text) {
        super(text, null, false, false);
        this.code = code;
        this.reason = reason;
        this.text = text;
    }

    /** Through the pod's or a set's own fault. */
    static RefusedException of(String reason, String text) {
        return new RefusedException(422, reason, text);
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }

    String text() {
        return text;
    }
}

package dev.pillion.inject;

import java.util.Optional;

/** Ends the work on a request that must be denied; becomes Injection.Refuse and never leaves the package. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final Reason reason;
    private final String text;
    private final String set;

    RefusedException(int code, Reason reason, String text) {
        this(code, reason, text, "");
    }

    private RefusedException(int code, Reason reason, String text, String set) {
        super(text, null, false, false);
        this.code = code;
        this.reason = reason;
        this.text = text;
        this.set = set;
    }

    /** Through the pod's or a set's own fault. */
    static RefusedException of(Reason reason, String text) {
        return new RefusedException(422, reason, text);
    }

    /** The same, said of the set that was being worked on. */
    RefusedException by(String setName) {
        return new RefusedException(code, reason, text, setName);
    }

    int code() {
        return code;
    }

    String reason() {
        return reason.word();
    }

    String text() {
        return text;
    }

    /** The set that led to the refusal, unless it is the pod alone. */
    Optional<String> set() {
        return set.isEmpty() ? Optional.empty() : Optional.of(set);
    }
}

package dev.pillion.admission;

import java.util.List;
import java.util.OptionalInt;

import dev.pillion.api.PatchOp;

/** What a webhook says to one review. Warnings are shown to the user by kubectl. */
public sealed interface Answer {
    /** What users are shown is cut here: a message that quotes a value of megabytes helps nobody. */
    int LONGEST_TEXT = 1000;

    List<String> warnings();

    /** Admit; ops may be empty. */
    record Allow(List<PatchOp> ops, List<String> warnings) implements Answer {
        public Allow {
            ops = List.copyOf(ops);
            warnings = cut(warnings);
        }
    }

    /**
     * Refuse.
     *
     * @param code code of the status (settings.md 2)
     * @param reason reason of the status
     * @param retryAfterSeconds for refusals that another try may pass
     */
    record Deny(int code, String reason, String message, List<Cause> causes, OptionalInt retryAfterSeconds,
            List<String> warnings) implements Answer {
        public Deny {
            message = cut(message);
            causes = causes.stream().map(c -> new Cause(c.reason(), cut(c.field()), cut(c.message()))).toList();
            warnings = cut(warnings);
        }
    }

    /** One entry of status.details.causes. */
    record Cause(String reason, String field, String message) {
    }

    private static List<String> cut(List<String> texts) {
        // Nearly always: no stream for nothing.
        return texts.isEmpty() ? List.of() : texts.stream().map(Answer::cut).toList();
    }

    private static String cut(String text) {
        if (text.length() <= LONGEST_TEXT) {
            return text;
        }
        // Half a character cannot be written.
        int end = Character.isHighSurrogate(text.charAt(LONGEST_TEXT - 1)) ? LONGEST_TEXT - 1 : LONGEST_TEXT;
        return text.substring(0, end) + "...";
    }

    /** Admit as it is. */
    static Answer allow() {
        return new Allow(List.of(), List.of());
    }

    /** The review or its object cannot be read. */
    static Deny unreadable(String message) {
        return new Deny(400, "BadRequest", message, List.of(), OptionalInt.empty(), List.of());
    }

    /** Something needed could not be read in time: another try may pass. */
    static Deny tryAgain(String message) {
        return new Deny(503, "ServiceUnavailable", message, List.of(), OptionalInt.of(1), List.of());
    }

    /** A fault of the program; the log has the details. */
    static Deny fault() {
        return new Deny(500, "InternalError", "Pillion failed on this request; its log tells why", List.of(), OptionalInt.empty(),
                List.of());
    }
}

package dev.pillion.admission;

import java.util.List;
import java.util.OptionalInt;

import dev.pillion.api.PatchOp;

/** What a webhook says to one review. Warnings are shown to the user by kubectl. */
public sealed interface Answer {
    List<String> warnings();

    /** Admit; ops may be empty. */
    record Allow(List<PatchOp> ops, List<String> warnings) implements Answer {
        public Allow {
            ops = List.copyOf(ops);
            warnings = List.copyOf(warnings);
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
            causes = List.copyOf(causes);
            warnings = List.copyOf(warnings);
        }
    }

    /** One entry of status.details.causes. */
    record Cause(String reason, String field, String message) {
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

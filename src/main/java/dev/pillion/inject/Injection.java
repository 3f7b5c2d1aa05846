package dev.pillion.inject;

import java.util.List;

import dev.pillion.api.PatchOp;

/** Answer to one pod request. Every set that was looked at has a verdict with a stable reason word. */
public sealed interface Injection {
    List<Verdict> verdicts();

    /**
     * What happened to one set.
     *
     * @param reason the word of a {@link Reason}: of a set, or of the refusal that this set led to
     * @param notes what of the set was passed over, such as an env that its source lacks; only with {@link InjectOptions.Look#ALL_SETS}
     */
    record Verdict(String set, String reason, List<String> notes) {
        public Verdict {
            notes = List.copyOf(notes);
        }

        public Verdict(String set, String reason) {
            this(set, reason, List.of());
        }
    }

    /** Admit unchanged. reason is the word of a {@link Reason}: other-operation, inactive, no-match, nothing-to-inject, already-injected. */
    record Skip(String reason, List<String> warnings, List<Verdict> verdicts) implements Injection {
        Skip(String reason, List<Verdict> verdicts) {
            this(reason, List.of(), verdicts);
        }
    }

    /** Deny with an HTTP-like code (settings.md 2) and a message that names object, field and way out. */
    record Refuse(int code, String reason, String message, List<Verdict> verdicts) implements Injection {
    }

    record Patch(List<PatchOp> ops, List<String> warnings, List<Verdict> verdicts) implements Injection {
    }
}

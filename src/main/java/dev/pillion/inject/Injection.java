package dev.pillion.inject;

import java.util.List;

import dev.pillion.api.PatchOp;

/** Answer to one pod request. Every set that was looked at has a verdict with a stable reason word. */
public sealed interface Injection {
    List<Verdict> verdicts();

    /** What happened to one set: reason is a stable word such as injected, selector-mismatch, namespace-mismatch, paused, hidden-by-canary. */
    record Verdict(String set, String reason) {
    }

    /** Admit unchanged. reason is a stable word: other-operation, inactive, no-match, nothing-to-inject, already-injected. */
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

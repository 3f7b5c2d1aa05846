package dev.pillion.inject;

/**
 * The stable words of verdicts and answers: the same in metrics, logs, answers of the webhook and on the command line. A new one needs its
 * sentence in package explain before it compiles there.
 */
public enum Reason {
    /** Of one set. */
    INJECTED("injected"), ALREADY_INJECTED("already-injected"), NOTHING_TO_INJECT("nothing-to-inject"), SELECTOR_MISMATCH(
            "selector-mismatch"), NAMESPACE_MISMATCH("namespace-mismatch"), PAUSED("paused"), HIDDEN_BY_CANARY("hidden-by-canary"),
    /** Of a request as a whole. */
    OTHER_OPERATION("other-operation"), INACTIVE("inactive"), NO_MATCH("no-match"),
    /** Of a set, when another one led to a refusal. */
    POD_REFUSED("pod-refused"),
    /** Of a refusal. */
    UNDECODABLE("undecodable"), NAMESPACE_UNREAD("namespace-unread"), REVISION_UNREAD("revision-unread"), REVISION_NOT_FOUND(
            "revision-not-found"), REVISION_UNREADABLE("revision-unreadable"), SELECTOR_FAULT("selector-fault"), PARTITION_FAULT(
                    "partition-fault"), METADATA_PATCH("metadata-patch"), SAME_NAME("same-name"), RESOURCES_POLICY(
                            "resources-policy"), LAUNCH_PRIORITY("launch-priority"), ANNOTATION_UNREADABLE("annotation-unreadable");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    /** The reason of a word. @throws IllegalArgumentException when there is no such word */
    public static Reason of(String word) {
        for (Reason reason : values()) {
            if (reason.word.equals(word)) {
                return reason;
            }
        }
        throw new IllegalArgumentException("no reason \"" + word + "\"");
    }

    public String word() {
        return word;
    }
}

package dev.pillion.rollout;

/**
 * Why Pods that are not updated are left alone in a round. The word is the same in the plan, metrics, logs and on the command line; its
 * sentence for events is in package explain.
 */
public enum WaitReason {
    /** An own write is not seen yet. */
    UPDATED_HASH_EXPECTED("updated-hash-expected"), NOT_UPDATE("not-update"), PAUSED("paused"), SET_DELETING("set-deleting"),
    /** Idle twins are emptied first. */
    FLIPPING("flipping"), NOT_SELECTED("not-selected"), NOT_UPGRADABLE("not-upgradable"),
    /** A container is ready but does not run yet what the spec says. */
    UPGRADING("upgrading"), PARTITION("partition"),
    /** The API server, or a webhook behind it, refused the write. */
    REFUSED("refused"), MAX_UNAVAILABLE("max-unavailable"),
    /** The Pod was injected by this set when it had other containers; it is not among the matching Pods (FR-40). */
    OTHER_CONTAINERS("other-containers");

    private final String word;

    WaitReason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}

package dev.pillion.api;

/** What a set's inbox holds: changes of Pods that name the set, or stopped naming it. */
public sealed interface PodChange {
    /** The Pod as it is now, also when it no longer matches. */
    record Seen(PodView pod) implements PodChange {
    }

    record Gone(PodKey pod, String uid) implements PodChange {
    }

    /** Too much changed to follow singly: read all Pods of the set anew. */
    record Rebuild() implements PodChange {
    }
}

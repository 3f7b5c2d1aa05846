package dev.pillion.explain;

import dev.pillion.rollout.Plan;

/** Why Pods that are not updated are left alone, in sentences for events and the command line. */
public final class Waits {
    private Waits() {
    }

    /** With the number of Pods, for a listing. */
    public static String sentence(Plan.Waiting waiting) {
        String pods = waiting.pods() == 1 ? "1 pod waits: " : waiting.pods() + " pods wait: ";
        return pods + reason(waiting.reason());
    }

    /** Without numbers, so that repeats of an event count as one. An unknown word is returned as it is. */
    public static String reason(String word) {
        return switch (word) {
            case "updated-hash-expected" -> "an update that was just written is not yet seen";
            case "not-update" -> "updateStrategy.type is NotUpdate; set it to RollingUpdate to update running pods";
            case "paused" -> "updateStrategy.paused is true";
            case "set-deleting" -> "the SidecarSet is being deleted";
            case "not-selected" -> "updateStrategy.selector does not select them";
            case "partition" -> "updateStrategy.partition keeps them at the old version";
            case "max-unavailable" -> "as many updated pods as updateStrategy.maxUnavailable allows are not ready; "
                    + "make them ready, correct the image, or raise maxUnavailable";
            case "not-upgradable" ->
                "more than images has changed, which a running pod cannot take over; re-create them to get the new version";
            case "upgrading" -> "their containers do not yet run what an earlier update asked for";
            case "flipping" -> "idle containers of a hot upgrade are being emptied first";
            case "refused" -> "the API server refused to update them; see the events of the pods";
            default -> word;
        };
    }

    /** The note of event NotUpgradablePods (rollout.md 11.1). */
    public static String notUpgradable(int pods) {
        return (pods == 1 ? "1 pod is" : pods + " pods are") + " not updated in place: " + reason("not-upgradable");
    }
}

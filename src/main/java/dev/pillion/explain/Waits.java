package dev.pillion.explain;

import java.util.List;

import dev.pillion.api.PodKey;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.WaitReason;

/** Why Pods that are not updated are left alone, in sentences for events and the command line. */
public final class Waits {
    /** Characters for names, so that an event's note has room for the reason. */
    private static final int ROOM = 300;

    private Waits() {
    }

    /** With the number of Pods, the names of some, and of some they wait for. */
    public static String sentence(Plan.Waiting waiting) {
        String pods = waiting.pods() == 1 ? "1 pod waits" : waiting.pods() + " pods wait";
        String blockers = waiting.blockers().isEmpty() ? "" : ". They wait for " + names(waiting.blockers(), waiting.blockers().size());
        return pods + named(waiting) + ": " + reason(waiting.reason()) + blockers;
    }

    /** The note of event NotUpgradablePods (rollout.md 11.1), which names Pods as well. */
    public static String notUpgradable(Plan.Waiting waiting) {
        return (waiting.pods() == 1 ? "1 pod is" : waiting.pods() + " pods are") + " not updated in place" + named(waiting) + ": "
                + reason(waiting.reason());
    }

    private static String named(Plan.Waiting waiting) {
        return waiting.some().isEmpty() ? "" : " (" + names(waiting.some(), waiting.pods()) + ")";
    }

    /** The first name, and more of them as long as there is room. */
    private static String names(List<PodKey> pods, int of) {
        StringBuilder names = new StringBuilder(pods.getFirst().toString());
        int named = 1;
        while (named < pods.size() && names.length() + pods.get(named).toString().length() <= ROOM) {
            names.append(", ").append(pods.get(named++));
        }
        return names.append(named < of ? ", ..." : "").toString();
    }

    /** The reason alone. */
    public static String reason(WaitReason reason) {
        return switch (reason) {
            case UPDATED_HASH_EXPECTED -> "an update that was just written is not yet seen";
            case NOT_UPDATE -> "updateStrategy.type is NotUpdate; set it to RollingUpdate to update running pods";
            case PAUSED -> "updateStrategy.paused is true";
            case SET_DELETING -> "the SidecarSet is being deleted";
            case NOT_SELECTED -> "updateStrategy.selector does not select them";
            case PARTITION -> "updateStrategy.partition keeps them at the old version";
            case MAX_UNAVAILABLE -> "as many updated pods as updateStrategy.maxUnavailable allows are not ready; "
                    + "make them ready, correct the image, or raise maxUnavailable";
            case NOT_UPGRADABLE -> "more than images of regular containers has changed, which a running pod cannot take over; "
                    + "re-create them to get the new version";
            case UPGRADING -> "their containers do not yet run what an earlier update asked for";
            case FLIPPING -> "idle containers of a hot upgrade are being emptied first";
            case REFUSED -> "the API server refused to update them; see the events of the pods";
            case OTHER_CONTAINERS -> "they were injected when the SidecarSet had other containers, and are left as they are; "
                    + "re-create them to get the present ones";
        };
    }
}

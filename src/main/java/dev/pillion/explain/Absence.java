package dev.pillion.explain;

import java.time.Instant;
import java.util.Optional;

import dev.pillion.api.GoTime;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;

/**
 * Why a running Pod lacks the sidecars of a set although both would match now (FR-07). What the webhook would say of the Pod has the words
 * of inject.Reason; these are the causes that lie outside of it.
 */
public enum Absence {
    NAMESPACE_EXCLUDED("namespace-excluded"), OPTED_OUT("opted-out"), OLDER_THAN_SET("older-than-set"), WEBHOOK_NOT_REACHED(
            "webhook-not-reached");

    private final String word;

    Absence(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** A cause, in a sentence without the names of Pod and set. */
    public record Cause(Absence absence, String sentence) {
    }

    /** The first cause that is certain, whatever the webhook would say now. */
    public static Optional<Cause> certain(SidecarSet set, PodView pod, WebhookReach reach) {
        return switch (reach) {
            case WebhookReach.NamespaceExcluded(_, String sentence) -> Optional.of(new Cause(NAMESPACE_EXCLUDED, sentence));
            case WebhookReach.OptedOut(_, String sentence) -> Optional.of(new Cause(OPTED_OUT, sentence));
            case WebhookReach.Sent _ -> older(set, pod);
            case WebhookReach.Absent _ -> Optional.of(older(set, pod).orElse(new Cause(WEBHOOK_NOT_REACHED,
                    "no MutatingWebhookConfiguration sends new Pods to a webhook at " + WebhookReach.PATH
                            + "; is the controller installed?")));
        };
    }

    private static Optional<Cause> older(SidecarSet set, PodView pod) {
        Optional<Instant> created = GoTime.read(set.creationTimestamp());
        return created.isPresent() && pod.created().isPresent() && pod.created().get().isBefore(created.get())
                ? Optional.of(new Cause(OLDER_THAN_SET, "the Pod was created at " + pod.created().get() + ", the SidecarSet at "
                        + created.get() + "; only new Pods get sidecars, so re-create it"))
                : Optional.empty();
    }

    /** When nothing else is left. */
    public static Cause unreached(SidecarSet set, PodView pod, WebhookReach reach) {
        boolean sameSecond = GoTime.read(set.creationTimestamp()).equals(pod.created());
        String why = switch (reach) {
            case WebhookReach.Sent(_, String policy, _) when policy.equals("Ignore") ->
                "the webhook was not reached when the Pod was created and its failurePolicy is Ignore, or labels or SidecarSet were changed since";
            case WebhookReach.Sent(_, _, int conditions) when conditions > 0 ->
                "the webhook's matchConditions may exclude the Pod, or labels or SidecarSet were changed since";
            case WebhookReach.Sent _,WebhookReach.NamespaceExcluded _,WebhookReach.OptedOut _,WebhookReach.Absent _ ->
                "the webhook was not installed when the Pod was created, or labels or SidecarSet were changed since";
        };
        return new Cause(WEBHOOK_NOT_REACHED,
                (sameSecond ? "both were created in the same second, so the SidecarSet may not have been known yet; else " : "")
                        + "nothing rules the sidecars out now: " + why + "; re-create the Pod");
    }
}

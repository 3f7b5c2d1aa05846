package dev.pillion.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.pillion.api.SidecarSet;
import dev.pillion.explain.Waits;
import dev.pillion.kube.EventSink;
import dev.pillion.rollout.Decision;
import dev.pillion.rollout.Plan;

/** Events of a reconcile (rollout.md 11, FR-31, FR-35): each once per change of what it says, not once per round. */
final class Announcer {
    /** A roll-out that stands still for this long says why; shorter pauses are how pods restart. */
    private static final Duration STALL = Duration.ofSeconds(3);
    private static final String NOT_UPGRADABLE = "NotUpgradablePods";
    private static final String SELECTOR = "InvalidSelector";
    private static final String BLOCKED = "RolloutBlocked";

    private final EventSink events;

    Announcer(EventSink events) {
        this.events = events;
    }

    /** Tells that the set was stored with a selector nobody can evaluate, as before the webhooks ran; it selects no Pod. */
    void unselectable(SidecarSet set, SetState state, String fault) {
        tell(set, state, EventSink.Type.WARNING, SELECTOR, "No Pod is selected: " + fault + "; correct it");
    }

    /** Tells what keeps Pods from being updated. Returns when to look again whether the roll-out still stands. */
    Optional<Duration> plan(SidecarSet set, SetState state, Plan plan, Instant now) {
        state.over(SELECTOR);
        int notUpgradable = waiting(plan, "not-upgradable");
        if (notUpgradable == 0) {
            state.over(NOT_UPGRADABLE);
        } else {
            tell(set, state, EventSink.Type.NORMAL, NOT_UPGRADABLE, Waits.notUpgradable(notUpgradable));
        }
        boolean stands = waiting(plan, "max-unavailable") > 0 && plan.decisions().isEmpty();
        if (!stands) {
            state.moving();
            state.over(BLOCKED);
            return Optional.empty();
        }
        Duration still = Duration.between(state.stalled(plan.status().updatedReadyPods(), now), now);
        if (still.compareTo(STALL) < 0) {
            return Optional.of(STALL.minus(still));
        }
        tell(set, state, EventSink.Type.WARNING, BLOCKED, "Pods wait: " + Waits.reason("max-unavailable"));
        return Optional.empty();
    }

    private static int waiting(Plan plan, String reason) {
        return plan.waiting().stream().filter(w -> w.reason().equals(reason)).mapToInt(Plan.Waiting::pods).sum();
    }

    private void tell(SidecarSet set, SetState state, EventSink.Type type, String reason, String note) {
        if (state.isNews(reason, note)) {
            events.onSet(set, type, reason, note);
        }
    }

    /** Rules 11.2 and 11.3, and a refused upgrade, which the reference only logs. */
    void result(SetState state, PodResult result) {
        Decision decision = result.decision();
        boolean flip = decision instanceof Decision.Flip;
        String reason = flip ? "ResetContainerFailed" : "SidecarUpdateFailed";
        String told = reason + " " + decision.pod().uid();
        if (result.failure().isPresent() && result.failure().get() instanceof Failure.Refused refused) {
            if (state.isNews(told, refused.text())) {
                pod(decision, EventSink.Type.WARNING, reason, refused.text());
            }
            return;
        }
        state.over(told);
        if (flip && result.answer().isPresent()) {
            pod(decision, EventSink.Type.NORMAL, "ResetContainerSucceed", "Idle sidecar container set to its empty image");
        }
    }

    private void pod(Decision decision, EventSink.Type type, String reason, String note) {
        events.onPod(decision.pod().key(), decision.pod().uid(), type, reason, note);
    }
}

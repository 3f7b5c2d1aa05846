package dev.pillion.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.SidecarSet;
import dev.pillion.explain.Waits;
import dev.pillion.kube.EventSink;
import dev.pillion.rollout.Decision;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.WaitReason;

/**
 * Tells why Pods are not updated, in log and events: once for each reason that begins to hold for a version of the set, not once per round
 * (rollout.md 11, FR-31, FR-35).
 * <ol>
 * <li>What only re-creation of Pods ends is told at once.
 * <li>Everything else when the roll-out has stood still for a while: shorter pauses are how Pods restart. A while is 3 s, and at least
 * twice the longest pause after which this version went on.
 * <li>A reason that ended may be told again. After a start of the program reasons that a current status shows to be old news are not.
 * </ol>
 */
final class Announcer {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
    private static final Set<WaitReason> LASTING = EnumSet.of(WaitReason.NOT_UPGRADABLE, WaitReason.OTHER_CONTAINERS);
    private static final String SELECTOR = "InvalidSelector";

    private final EventSink events;

    Announcer(EventSink events) {
        this.events = events;
    }

    /** Tells that the set was stored with a selector nobody can evaluate, as before the webhooks ran; it selects no Pod. */
    void unselectable(SidecarSet set, SetState state, String fault) {
        if (state.news().isFaultNews(fault)) {
            events.onSet(set, EventSink.Type.WARNING, SELECTOR, "No Pod is selected: " + fault + "; correct it");
        }
    }

    /** Tells what keeps Pods from being updated. Returns when to look again whether the roll-out still stands. */
    Optional<Duration> plan(SidecarSet set, SetState state, Plan plan, Instant now) {
        News news = state.news();
        news.about(set, plan, now);
        Optional<Duration> left = news.untilStanding(now);
        for (Plan.Waiting waiting : plan.waiting()) {
            if ((LASTING.contains(waiting.reason()) || left.isEmpty()) && news.isNew(waiting.reason())) {
                tell(set, waiting);
            }
        }
        return left.filter(_ -> plan.waiting().stream().anyMatch(w -> !news.isTold(w.reason())));
    }

    private void tell(SidecarSet set, Plan.Waiting waiting) {
        LOG.atInfo().addKeyValue("sidecarSet", set.name()).addKeyValue("reason", waiting.reason().word())
                .addKeyValue("pods", waiting.pods()).addKeyValue("some", waiting.some()).addKeyValue("blockers", waiting.blockers())
                .log("Pods are not updated");
        switch (waiting.reason()) {
            case NOT_UPGRADABLE -> events.onSet(set, EventSink.Type.NORMAL, "NotUpgradablePods", Waits.notUpgradable(waiting));
            case OTHER_CONTAINERS -> events.onSet(set, EventSink.Type.NORMAL, "OtherContainers", Waits.notUpgradable(waiting));
            case MAX_UNAVAILABLE, REFUSED, UPGRADING, UPDATED_HASH_EXPECTED ->
                events.onSet(set, EventSink.Type.WARNING, "RolloutBlocked", Waits.sentence(waiting));
            case NOT_UPDATE, PAUSED, SET_DELETING, NOT_SELECTED, PARTITION, FLIPPING ->
                events.onSet(set, EventSink.Type.NORMAL, "RolloutWaiting", Waits.sentence(waiting));
        }
    }

    /** Rules 11.2 and 11.3, and a refused upgrade, which the reference only logs. */
    void result(SetState state, PodResult result) {
        Decision decision = result.decision();
        boolean flip = decision instanceof Decision.Flip;
        if (result.failure().isPresent() && result.failure().get() instanceof Failure.Refused refused) {
            if (state.news().isRefusalNews(decision.pod(), refused.text())) {
                pod(decision, EventSink.Type.WARNING, flip ? "ResetContainerFailed" : "SidecarUpdateFailed", refused.text());
            }
        } else if (flip && result.answer().isPresent()) {
            pod(decision, EventSink.Type.NORMAL, "ResetContainerSucceed", "Idle sidecar container set to its empty image");
        }
    }

    private void pod(Decision decision, EventSink.Type type, String reason, String note) {
        events.onPod(decision.pod().key(), decision.pod().uid(), type, reason, note);
    }
}

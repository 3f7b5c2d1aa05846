package dev.pillion.cli;

import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;

/** Where a set as a whole stands, by what it says of itself: one word for lists. */
enum SetState {
    /** Being deleted. */
    DELETING("deleting", "it is being deleted"),
    /** The controller has not looked at this version of it. */
    NOT_OBSERVED("not-observed", "the controller has not looked at this version yet; is it running?"),
    /** No Pod carries it. */
    NO_PODS("no-pods", "no pod carries its sidecars"),
    /** All Pods are updated and ready. */
    COMPLETE("complete", "all pods run the present version and are ready"),
    /** All Pods are updated, not all are ready. */
    STARTING("starting", "all pods are updated, and not all of them are ready"),
    /** Pods stay at an older version on purpose. */
    NOT_UPDATE("not-update", "updateStrategy.type is NotUpdate: pods keep the version they were created with"),
    /** Stopped by hand. */
    PAUSED("paused", "updateStrategy.paused is true"),
    /** Under way. */
    ROLLING("rolling", "pods are being updated, or wait for it");

    private final String word;
    private final String sentence;

    SetState(String word, String sentence) {
        this.word = word;
        this.sentence = sentence;
    }

    String word() {
        return word;
    }

    String sentence() {
        return sentence;
    }

    static SetState of(SidecarSet set) {
        SetStatus status = set.status();
        if (set.deleting()) {
            return DELETING;
        }
        if (status.observedGeneration() < set.generation()) {
            return NOT_OBSERVED;
        }
        if (status.matchedPods() == 0) {
            return NO_PODS;
        }
        if (status.updatedPods() >= status.matchedPods()) {
            return status.updatedReadyPods() >= status.matchedPods() ? COMPLETE : STARTING;
        }
        return set.updateStrategy().isNotUpdate() ? NOT_UPDATE : set.updateStrategy().paused() ? PAUSED : ROLLING;
    }
}

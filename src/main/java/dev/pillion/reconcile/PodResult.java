package dev.pillion.reconcile;

import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.rollout.Decision;

/**
 * What became of one decision. Both may be present: the upgrade went through, its condition did not.
 *
 * @param answer the Pod as the API server answered last; empty when nothing was written
 */
record PodResult(Decision decision, Optional<PodView> answer, Optional<Failure> failure) {
    static PodResult unchanged(Decision decision) {
        return new PodResult(decision, Optional.empty(), Optional.empty());
    }

    static PodResult wrote(Decision decision, PodView answer) {
        return new PodResult(decision, Optional.of(answer), Optional.empty());
    }

    static PodResult failed(Decision decision, Failure failure) {
        return new PodResult(decision, Optional.empty(), Optional.of(failure));
    }
}

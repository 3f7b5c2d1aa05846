package dev.pillion.reconcile;

import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.KubeException;

/** Why a write did not happen, or may not have happened. */
sealed interface Failure {
    /** The stable word of metrics and outcomes. */
    String word();

    /** Somebody else wrote first. live: the object as it is now, when it could be read. */
    record Conflict(Optional<PodView> live) implements Failure {
        @Override
        public String word() {
            return "conflict";
        }
    }

    /** The object does not exist any more, or another one has its name. */
    record Gone() implements Failure {
        @Override
        public String word() {
            return "gone";
        }
    }

    /** The API server, or a webhook behind it, does not want this write. */
    record Refused(String text) implements Failure {
        @Override
        public String word() {
            return "refused";
        }
    }

    /** No answer, or one that says try later: the write may have happened. */
    record Unavailable(String text) implements Failure {
        @Override
        public String word() {
            return Outcome.Failed.UNAVAILABLE;
        }
    }

    /** Not started: the set is no longer ours to write for. */
    record Lost() implements Failure {
        @Override
        public String word() {
            return "ownership-lost";
        }
    }

    /** Conflicts come without the live object; the caller reads it. */
    static Failure of(KubeException e) {
        String text = String.valueOf(e.getMessage());
        if (e.isStoppedByWebhook()) {
            return new Refused(text);
        }
        if (e.isGone()) {
            return new Gone();
        }
        if (e.isConflict()) {
            return new Conflict(Optional.empty());
        }
        return e.isUnavailable() ? new Unavailable(text) : new Refused(text);
    }
}

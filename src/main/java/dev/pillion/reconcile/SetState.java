package dev.pillion.reconcile;

import java.time.Instant;
import java.util.Optional;

import dev.pillion.api.SidecarSet;
import dev.pillion.rollout.Ledger;

/** One set's ledger, and what the reconciler itself remembers of the set. Not safe for threads. */
final class SetState {
    private record Known(long generation, String customVersion, RevisionKeeper.Registered registered) {
    }

    private final String uid;
    private final Ledger ledger;
    private final News news = new News();
    private Optional<Known> known = Optional.empty();
    private Optional<SidecarSet> answered = Optional.empty();
    private Optional<Instant> statusWritten = Optional.empty();

    SetState(String uid, Ledger ledger) {
        this.uid = uid;
        this.ledger = ledger;
    }

    String uid() {
        return uid;
    }

    Ledger ledger() {
        return ledger;
    }

    /** The newer of the view's set and the answer to the last own status write, which the view may not show yet. */
    SidecarSet newest(SidecarSet viewed) {
        return answered.filter(a -> version(a) > version(viewed)).orElse(viewed);
    }

    private static long version(SidecarSet set) {
        try {
            return Long.parseLong(set.resourceVersion());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** What was registered for this spec, if it was. */
    Optional<RevisionKeeper.Registered> registered(SidecarSet set) {
        return known.filter(k -> k.generation == set.generation() && k.customVersion.equals(set.customVersion())).map(Known::registered);
    }

    void registered(SidecarSet set, RevisionKeeper.Registered registered) {
        known = Optional.of(new Known(set.generation(), set.customVersion(), registered));
    }

    void statusAnswered(SidecarSet answer, Instant when) {
        answered = Optional.of(answer);
        statusWritten = Optional.of(when);
    }

    Optional<Instant> statusWritten() {
        return statusWritten;
    }

    /** What has been told of the set. */
    News news() {
        return news;
    }
}

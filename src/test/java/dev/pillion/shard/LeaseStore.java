package dev.pillion.shard;

import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.LeaseSpec;

/** One Lease at an API server, without delay or fault. */
final class LeaseStore {
    private Optional<LeaseRecord> stored = Optional.empty();
    private long version;
    private int uids;

    Optional<LeaseRecord> stored() {
        return stored;
    }

    /** Carries the request out, as the API server does. */
    Answer carryOut(Order.Request request) {
        return switch (request) {
            case Order.Read _ -> stored.<Answer>map(Answer.Found::new).orElseGet(Answer.Absent::new);
            case Order.Create create -> stored.isPresent() ? new Answer.Conflict() : put("uid-" + ++uids, create.spec());
            case Order.Change change -> {
                boolean same = stored.filter(s -> s.uid().equals(change.known().uid()) && s.version().equals(change.known().version()))
                        .isPresent();
                yield same ? put(change.known().uid(), change.spec()) : new Answer.Conflict();
            }
        };
    }

    private Answer put(String uid, LeaseSpec spec) {
        LeaseRecord record = new LeaseRecord("lease", uid, Long.toString(++version), spec);
        stored = Optional.of(record);
        return new Answer.Stored(record);
    }

    /** kubectl edit, by somebody who knows nothing of slots. */
    void edit(UnaryOperator<LeaseSpec> change) {
        stored.ifPresent(s -> put(s.uid(), change.apply(s.spec())));
    }

    void delete() {
        stored = Optional.empty();
    }

    static LeaseSpec heldBy(LeaseSpec spec, String holder) {
        return new LeaseSpec(holder, spec.duration(), spec.acquired(), spec.renewed(), spec.transitions(), Map.of());
    }
}

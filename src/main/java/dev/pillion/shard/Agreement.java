package dev.pillion.shard;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

import dev.pillion.bus.Slots;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.LeaseSpec;
import dev.pillion.kube.Leases;

/**
 * The number of slots that an installation has, written down in an annotation of the Lease pillion-slots by whoever comes first. With
 * different numbers two processes could own the same set, so who means another one waits.
 */
final class Agreement {
    static final String LEASE = "pillion-slots";
    static final String MARK = LeaseSpec.MARK_PREFIX + "slots";
    private static final int TRIES = 3;

    /** What a look brought. */
    sealed interface Finding {
        /**
         * The number of slots is the same everywhere.
         *
         * @param founding when this process founded the installation, by the monotonic clock; empty when it was there
         */
        record Agreed(OptionalLong founding) implements Finding {
        }

        record Differs(String theirs) implements Finding {
        }

        record Unknown(String reason) implements Finding {
        }
    }

    private final Leases leases;
    private final Slots slots;
    private final LongSupplier nanos;

    Agreement(Leases leases, Slots slots, LongSupplier nanos) {
        this.leases = leases;
        this.slots = slots;
        this.nanos = nanos;
    }

    /** Reads the number, and writes it down where it lacks. Blocking. */
    Finding look() {
        String last = "";
        for (int tries = TRIES; tries > 0; tries--) {
            try {
                return lookOnce();
            } catch (KubeException e) {
                last = e.code() + " " + e.getMessage();
                if (!e.isConflict() && !e.isAlreadyExists() && !e.isGone()) {
                    break;
                }
            } catch (RuntimeException e) {
                return new Finding.Unknown(String.valueOf(e));
            }
        }
        return new Finding.Unknown(last);
    }

    /** What is wrong, for people; empty when all agree. */
    Optional<String> trouble(Finding finding) {
        return switch (finding) {
            case Finding.Agreed _ -> Optional.empty();
            case Finding.Differs(String theirs) -> Optional.of("the installation has \"" + theirs + "\" slots and this process shall have "
                    + slots.count() + " (shard.slots), so it waits; delete this Lease when no process with the other number runs any more");
            case Finding.Unknown(String reason) -> Optional.of(reason);
        };
    }

    /** Until the next look. */
    static Duration pause(Finding finding, LeaseTimes times) {
        return switch (finding) {
            case Finding.Agreed _ -> times.duration();
            case Finding.Differs _ -> times.renew();
            case Finding.Unknown _ -> times.pause();
        };
    }

    private Finding lookOnce() {
        String ours = Integer.toString(slots.count());
        Optional<LeaseRecord> known = leases.read(LEASE);
        if (known.isEmpty()) {
            long before = nanos.getAsLong();
            leases.create(LEASE, LeaseSpec.EMPTY.withMarks(Map.of(MARK, ours)));
            return new Finding.Agreed(OptionalLong.of(before));
        }
        Map<String, String> marks = new HashMap<>(known.get().spec().marks());
        String theirs = marks.getOrDefault(MARK, "");
        if (theirs.isEmpty()) {
            marks.put(MARK, ours);
            leases.change(known.get(), known.get().spec().withMarks(marks));
            return new Finding.Agreed(OptionalLong.empty());
        }
        return theirs.equals(ours) ? new Finding.Agreed(OptionalLong.empty()) : new Finding.Differs(theirs);
    }
}

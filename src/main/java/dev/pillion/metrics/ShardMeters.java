package dev.pillion.metrics;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Timer;

/** Who owns which slot, under client-go's name, and how the Leases are doing. Safe for all threads. */
public final class ShardMeters {
    private final Meters meters;
    private final Set<String> owned = ConcurrentHashMap.newKeySet();
    private final Timer refresh;

    public ShardMeters(Meters meters) {
        this.meters = meters;
        refresh = meters.timer("pillion_slot_refresh", "From taking a slot until the local view was fresh and its sets were enqueued",
                Meters.seconds(.01, .05, .1, .5, 1, 5, 10, 30, 60));
        meters.gauge("pillion_slots_owned", "Slots whose sets this process reconciles", owned::size);
    }

    /** A slot this process strives for: its series exists from the start, so that it can be watched for having no owner. */
    public void slot(String lease) {
        meters.gauge("leader_election_master_status", "1 while this process owns the slot of this Lease",
                () -> owned.contains(lease) ? 1 : 0,
                "name", lease);
    }

    /**
     * A slot became ours.
     *
     * @param taken from the write of the Lease until now
     */
    public void gained(String lease, Duration taken) {
        owned.add(lease);
        refresh.record(taken);
        meters.counter("pillion_slot_takeovers", "Slots taken by this process").increment();
    }

    /**
     * A slot is ours no more.
     *
     * @param reason given-away, not-renewed or taken
     */
    public void lost(String lease, String reason) {
        owned.remove(lease);
        meters.counter("pillion_slot_losses", "Slots this process had and lost or gave away", "reason", reason).increment();
    }

    /** Counts one request about a Lease: what (read, create, change) and how it ended (ok, conflict, unknown, refused). */
    public void request(String what, String result) {
        meters.counter("pillion_lease_requests", "Requests about Leases", "what", what, "result", result).increment();
    }

    /** Whether this process waits because the installation has another number of slots. */
    public void waiting(Supplier<Number> isWaiting) {
        meters.gauge("pillion_slots_mismatch", "1 while this process waits since the installation has another number of slots", isWaiting);
    }
}

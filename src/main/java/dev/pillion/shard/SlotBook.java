package dev.pillion.shard;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Cause;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.bus.BusMessage.Refresh;
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.kube.EventSink;
import dev.pillion.shard.Agreement.Finding;

/**
 * What follows from the turns of all slots.
 * <ol>
 * <li>A slot was taken: the local view is brought up to date first. Then writes are allowed, the queue takes its sets in, and each of them
 * is enqueued.
 * <li>A slot is lost or given away: no further write is allowed, at once; the queue hands out no set of it any more.
 * <li>The queue says that no set of it is in work: what was remembered of its sets is forgotten, and the Lease may go on.
 * </ol>
 * All times are nanoseconds of one monotonic clock. Not safe for threads: its verticle alone touches it.
 */
final class SlotBook {
    private static final Logger LOG = LoggerFactory.getLogger(SlotBook.class);
    private static final Cause TAKEN = new Cause("slot-taken");
    private static final String LEADER_ELECTION = "LeaderElection";

    /** Where messages go. */
    record Outlet(Consumer<BusMessage> queue, Consumer<Refresh> watch) {
    }

    /** A slot that was taken, and whose view is being brought up to date. */
    private record Fresh(long epoch, long term, long until, long takenAt) {
    }

    private final List<SlotLease> leases;
    private final String identity;
    private final ShardShared shared;
    private final Outlet outlet;
    private final Map<Integer, Fresh> refreshing = new HashMap<>();
    private final Set<Integer> owned = new HashSet<>();
    private final Map<Integer, Long> leaving = new HashMap<>();
    private long epoch;

    /** @param leases one for each slot, in order */
    SlotBook(List<SlotLease> leases, String identity, ShardShared shared, Outlet outlet) {
        this.leases = List.copyOf(leases);
        this.identity = identity;
        this.shared = shared;
        this.outlet = outlet;
        leases.forEach(lease -> shared.meters().slot(lease.name()));
    }

    /** Books for all slots. */
    static SlotBook of(ShardOptions options, ShardShared shared, Stamps stamps, Outlet outlet) {
        List<SlotLease> leases = IntStream.range(0, shared.ownership().slots().count())
                .mapToObj(n -> new SlotLease("pillion-slot-" + n, options.identity(), options.times(), stamps)).toList();
        return new SlotBook(leases, options.identity(), shared, outlet);
    }

    String name(int slot) {
        return leases.get(slot).name();
    }

    /** Strives for slots as long as everybody means the same ones. While nobody knows, all stays as it is. */
    void heed(Finding finding, long now) {
        switch (finding) {
            case Finding.Agreed(OptionalLong founding) -> leases.forEach(lease -> lease.contend(founding, now));
            case Finding.Differs _ -> standAside(now);
            case Finding.Unknown _ -> {
            }
        }
    }

    void standAside(long now) {
        for (int slot = 0; slot < leases.size(); slot++) {
            follow(slot, leases.get(slot).standAside(), now);
        }
    }

    boolean isResting() {
        return leases.stream().allMatch(SlotLease::isResting);
    }

    /** Lets time pass; returns when it changes something next, whatever is under way. */
    OptionalLong tick(int slot, long now) {
        follow(slot, leases.get(slot).tick(now), now);
        return leases.get(slot).expiry();
    }

    Order next(int slot, long now) {
        return leases.get(slot).next(now);
    }

    void take(int slot, Order.Request request, Answer answer, long sentAt, long now) {
        follow(slot, leases.get(slot).take(request, answer, sentAt, now), now);
    }

    private void follow(int slot, Optional<Turn> turn, long now) {
        if (turn.isEmpty()) {
            return;
        }
        switch (turn.get()) {
            case Turn.Gained gained -> {
                refreshing.put(slot, new Fresh(++epoch, gained.term(), gained.until(), now));
                outlet.watch.accept(new Refresh(epoch, gained.fresh()));
                LOG.atInfo().addKeyValue("lease", name(slot)).addKeyValue("identity", identity)
                        .log("Slot taken, bringing the view up to date");
            }
            case Turn.Extended(long term, long until) -> {
                refreshing.computeIfPresent(slot, (_, fresh) -> new Fresh(fresh.epoch, fresh.term, until, fresh.takenAt));
                shared.ownership().extend(slot, term, until);
            }
            case Turn.Ended ended -> ended(slot, ended.why(), now);
            case Turn.Released _ -> LOG.atInfo().addKeyValue("lease", name(slot)).log("Slot is free for others");
        }
    }

    private void ended(int slot, Turn.Why why, long now) {
        shared.ownership().end(slot);
        LOG.atLevel(why == Turn.Why.GIVEN ? Level.INFO : Level.WARN).addKeyValue("lease", name(slot))
                .addKeyValue("reason", why.word()).log("Slot is no longer ours: no write is started any more");
        if (refreshing.remove(slot) != null) {
            // The queue never had it.
            leases.get(slot).drained(now);
            return;
        }
        shared.meters().lost(name(slot), why.word());
        owned.remove(slot);
        leaving.put(slot, ++epoch);
        outlet.queue.accept(new SlotsChanged(epoch, owned));
    }

    /** The view is fresh: the sets of the slot that asked for it are reconciled from now on. */
    void refreshed(long askedWith, long now) {
        refreshing.entrySet().stream().filter(e -> e.getValue().epoch == askedWith).map(Map.Entry::getKey).findFirst()
                .ifPresent(slot -> begin(slot, now));
    }

    private void begin(int slot, long now) {
        Fresh fresh = Objects.requireNonNull(refreshing.remove(slot));
        shared.ownership().begin(slot, fresh.term, fresh.until);
        owned.add(slot);
        outlet.queue.accept(new SlotsChanged(++epoch, owned));
        // After the terms have begun: what changes from now on enqueues itself.
        Predicate<SetKey> mine = isIn(slot);
        shared.sets().get().sets().stream().map(s -> s.key()).filter(mine)
                .forEach(set -> outlet.queue.accept(new Enqueue(set, Duration.ZERO, Priority.LOW, TAKEN)));
        shared.meters().gained(name(slot), Duration.ofNanos(now - fresh.takenAt));
        LOG.atInfo().addKeyValue("lease", name(slot)).addKeyValue("identity", identity)
                .addKeyValue("durationMs", Duration.ofNanos(now - fresh.takenAt).toMillis())
                .log("Leading: the slot's sets are reconciled here");
        leases.get(slot).record()
                .ifPresent(lease -> shared.events().onLease(lease, EventSink.Type.NORMAL, LEADER_ELECTION, identity + " became leader"));
    }

    /** No set of the slot is in work any more. */
    void drained(SlotDrained message, long now) {
        if (leaving.remove(message.slot(), message.epoch())) {
            shared.forget().accept(isIn(message.slot()));
            leases.get(message.slot()).drained(now);
        }
    }

    private Predicate<SetKey> isIn(int slot) {
        return set -> shared.ownership().slots().of(set) == slot;
    }
}

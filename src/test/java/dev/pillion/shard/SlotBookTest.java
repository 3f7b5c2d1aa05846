package dev.pillion.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.BusMessage.Cause;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.bus.BusMessage.Refresh;
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Slots;
import dev.pillion.kube.EventSink;
import dev.pillion.kube.LeaseRecord;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ShardMeters;
import dev.pillion.shard.Agreement.Finding;

import tools.jackson.databind.node.ObjectNode;

/** What the turns of several slots lead to, in which order. */
class SlotBookTest {
    private static final int SLOTS = 4;
    private static final LeaseTimes TIMES = new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofSeconds(10));

    private final LeaseStore[] stores = {new LeaseStore(), new LeaseStore(), new LeaseStore(), new LeaseStore()};
    private final List<Object> told = new ArrayList<>();
    private final List<SetKey> forgotten = new ArrayList<>();
    private final Meters meters = new Meters();
    private final LatestSets latest = new LatestSets();
    private long now = 1_000;
    private final Ownership ownership = new Ownership(new Slots(SLOTS), () -> now);
    private final List<SetKey> sets = new ArrayList<>();
    private final SlotBook book = SlotBook.of(new ShardOptions("me", TIMES),
            new ShardShared(ownership, latest, this::forget, new Events(), new ShardMeters(meters)), new Stamps(() -> Instant.EPOCH),
            new SlotBook.Outlet(told::add, told::add));

    SlotBookTest() {
        List<SidecarSet> stored = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            stored.add(SidecarSet.of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"s" + i + "\"}}")));
            sets.add(new SetKey("s" + i));
        }
        latest.put(SetIndex.of(stored, List.of()));
    }

    @AfterEach
    void close() {
        meters.close();
    }

    private void forget(Predicate<SetKey> gone) {
        sets.stream().filter(gone).forEach(forgotten::add);
    }

    private List<SetKey> setsOf(int slot) {
        return sets.stream().filter(s -> ownership.slots().of(s) == slot).toList();
    }

    /** Works off what is due for the slot; requests are answered at once. */
    private void run(int slot) {
        book.tick(slot, now);
        for (Order order = book.next(slot, now); order instanceof Order.Request request; order = book.next(slot, now)) {
            book.take(slot, request, stores[slot].carryOut(request), now, now);
        }
    }

    private Refresh takes(int slot) {
        book.heed(new Finding.Agreed(OptionalLong.of(now)), now);
        run(slot);
        return (Refresh) told.removeLast();
    }

    private void owns(int slot) {
        book.refreshed(takes(slot).epoch(), now);
        told.clear();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void aTakenSlotIsWorkedOnOnceTheViewIsFresh() {
        Refresh refresh = takes(2);
        SetKey mine = setsOf(2).getFirst();
        assertThat(refresh.since()).isEqualTo(now);
        assertThat(told).isEmpty();
        assertThat(ownership.accepts(mine)).isFalse();

        book.refreshed(refresh.epoch(), now);

        assertThat(ownership.fence(mine).isOpen()).isTrue();
        assertThat(told.removeFirst()).isEqualTo(new SlotsChanged(refresh.epoch() + 1, Set.of(2)));
        assertThat(told.removeLast()).isEqualTo("LeaderElection me became leader");
        assertThat(told).containsExactlyInAnyOrderElementsOf(
                setsOf(2).stream().map(s -> new Enqueue(s, Duration.ZERO, Priority.LOW, new Cause("slot-taken"))).toList());
        assertThat(meters.scrape()).contains("leader_election_master_status{name=\"pillion-slot-2\"} 1.0",
                "leader_election_master_status{name=\"pillion-slot-1\"} 0.0", "pillion_slots_owned 1.0",
                "pillion_slot_takeovers_total 1.0");
    }

    @Test
    void renewalsDuringTheRefreshCount() {
        Refresh refresh = takes(0);
        pass(Duration.ofSeconds(5));
        run(0);
        pass(Duration.ofSeconds(8));
        book.refreshed(refresh.epoch(), now);

        assertThat(ownership.leads()).isTrue();
        pass(Duration.ofSeconds(2));
        assertThat(ownership.leads()).isFalse();
    }

    @Test
    void aLostSlotIsTakenAgainOnlyAfterItsWorkIsDone() {
        owns(1);
        pass(Duration.ofSeconds(10));
        run(1);
        assertThat(told).containsExactly(new SlotsChanged(3, Set.of()));
        assertThat(ownership.accepts(setsOf(1).getFirst())).isFalse();
        pass(Duration.ofSeconds(60));
        run(1);
        book.drained(new SlotDrained(1, 2), now);
        run(1);
        assertThat(told).as("nor after an older message").hasSize(1);
        assertThat(forgotten).isEmpty();

        book.drained(new SlotDrained(1, 3), now);
        assertThat(forgotten).containsExactlyElementsOf(setsOf(1));
        run(1);
        assertThat(told.getLast()).isInstanceOf(Refresh.class);
        assertThat(meters.scrape()).contains("pillion_slot_losses_total{reason=\"not-renewed\"} 1.0", "pillion_slots_owned 0.0");
    }

    @Test
    void aSlotLostBeforeItsViewWasFreshLeavesNoTrace() {
        Refresh refresh = takes(3);
        stores[3].edit(spec -> LeaseStore.heldBy(spec, "other"));
        pass(Duration.ofSeconds(5));
        run(3);
        book.refreshed(refresh.epoch(), now);

        assertThat(told).isEmpty();
        assertThat(ownership.accepts(setsOf(3).getFirst())).isFalse();
        for (int second = 0; second < 15; second++) {
            pass(Duration.ofSeconds(1));
            run(3);
        }
        assertThat(told).as("it strives on").hasSize(1).first().isInstanceOf(Refresh.class);
    }

    @Test
    void theEndOfOneSlotTouchesNoOther() {
        owns(0);
        owns(1);
        stores[0].edit(spec -> LeaseStore.heldBy(spec, "other"));
        pass(Duration.ofSeconds(5));
        run(0);
        run(1);

        assertThat(told).containsExactly(new SlotsChanged(5, Set.of(1)));
        assertThat(ownership.leads()).isFalse();
        assertThat(ownership.fence(setsOf(1).getFirst()).isOpen()).isTrue();
    }

    @Test
    void anotherNumberOfSlotsEndsTheWork() {
        owns(1);
        book.heed(new Finding.Unknown("no answer"), now);
        assertThat(told).as("as long as nobody knows, all stays as it is").isEmpty();

        book.heed(new Finding.Differs("2"), now);

        assertThat(told).containsExactly(new SlotsChanged(3, Set.of()));
        assertThat(book.isResting()).isFalse();
        book.drained(new SlotDrained(1, 3), now);
        run(1);
        assertThat(book.isResting()).isTrue();
        assertThat(stores[1].stored().orElseThrow().spec().holder()).isEmpty();
        book.heed(new Finding.Agreed(OptionalLong.empty()), now);
        run(1);
        assertThat(told.getLast()).as("agreed again").isInstanceOf(Refresh.class);
    }

    private final class Events implements EventSink {
        @Override
        public void onSet(SidecarSet set, Type type, String reason, String note) {
            throw new AssertionError();
        }

        @Override
        public void onLease(LeaseRecord lease, Type type, String reason, String note) {
            told.add(reason + " " + note);
        }

        @Override
        public void onPod(PodKey pod, String podUid, Type type, String reason, String note) {
            throw new AssertionError();
        }
    }
}

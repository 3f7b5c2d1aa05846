package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.bus.Slots;

class SlotDrainsTest {
    private static final SetKey LOGS = new SetKey("logs");

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 32})
    void tellsOnceAndOnlyWhenNoSetOfTheSlotIsInWork(int count) {
        Slots slots = new Slots(count);
        int slot = slots.of(LOGS);
        SlotDrains drains = new SlotDrains(slots);
        assertThat(drains.drained(List.of(LOGS))).isEmpty();
        drains.changed(new SlotsChanged(1, Set.of(slot)));
        assertThat(drains.drained(List.of())).isEmpty();

        drains.changed(new SlotsChanged(2, Set.of()));
        assertThat(drains.drained(List.of(LOGS))).isEmpty();
        drains.changed(new SlotsChanged(3, Set.of()));

        assertThat(drains.drained(List.of())).containsExactly(new SlotDrained(slot, 2));
        assertThat(drains.drained(List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 32})
    void workOfOtherSlotsDoesNotCount(int count) {
        Slots slots = new Slots(count);
        int slot = slots.of(LOGS);
        SlotDrains drains = new SlotDrains(slots);
        int other = (slot + 1) % count;
        drains.changed(new SlotsChanged(1, Set.of(slot, other)));
        drains.changed(new SlotsChanged(2, Set.of(slot)));

        assertThat(drains.drained(List.of(LOGS))).containsExactly(new SlotDrained(other, 2));
    }
}

package dev.pillion.queue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.bus.Slots;

/** The slots that are leaving: gone from the owned ones, but with sets in work. Not safe for threads. */
final class SlotDrains {
    private final Slots slots;
    private final Map<Integer, Long> leaving = new TreeMap<>();
    private Set<Integer> owned = Set.of();

    SlotDrains(Slots slots) {
        this.slots = slots;
    }

    void changed(SlotsChanged message) {
        owned.stream().filter(slot -> !message.owned().contains(slot)).forEach(slot -> leaving.put(slot, message.epoch()));
        leaving.keySet().removeAll(message.owned());
        owned = message.owned();
    }

    boolean isEmpty() {
        return leaving.isEmpty();
    }

    /** The leaving slots without work; they are told once. */
    List<SlotDrained> drained(List<SetKey> inWork) {
        if (leaving.isEmpty()) {
            return List.of();
        }
        Set<Integer> busy = new HashSet<>();
        inWork.forEach(set -> busy.add(slots.of(set)));
        List<SlotDrained> drained = new ArrayList<>();
        leaving.forEach((slot, epoch) -> {
            if (!busy.contains(slot)) {
                drained.add(new SlotDrained(slot, epoch));
            }
        });
        drained.forEach(d -> leaving.remove(d.slot()));
        return drained;
    }
}

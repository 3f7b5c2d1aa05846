package dev.pillion.bus;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.pillion.api.PodChange;
import dev.pillion.api.SetKey;

/**
 * Pod changes waiting for each set: the one shared mutable structure. The watcher appends before it sends Enqueue; only the holder
 * of the set's current ticket drains. An inbox longer than its bound turns into one Rebuild, so memory stays bounded.
 */
public final class Inboxes {
    private static final int SMALLEST_BOUND = 64;

    private final ConcurrentMap<SetKey, List<PodChange>> waiting = new ConcurrentHashMap<>();
    private final ConcurrentMap<SetKey, Integer> podCounts = new ConcurrentHashMap<>();

    public void append(SetKey set, PodChange change) {
        waiting.compute(set, (key, list) -> {
            List<PodChange> changes = list == null ? new ArrayList<>() : list;
            if (changes.size() == 1 && changes.getFirst() instanceof PodChange.Rebuild) {
                return changes;
            }
            boolean full = changes.size() >= Math.max(SMALLEST_BOUND, 4 * podCounts.getOrDefault(key, 0));
            if (full || change instanceof PodChange.Rebuild) {
                changes.clear();
                changes.add(new PodChange.Rebuild());
            } else {
                changes.add(change);
            }
            return changes;
        });
    }

    /** Takes everything that waits for the set. */
    public List<PodChange> drain(SetKey set) {
        List<PodChange> changes = waiting.remove(set);
        return changes == null ? List.of() : List.copyOf(changes);
    }

    /** Tells how many Pods the set has, which bounds its inbox. */
    public void podCount(SetKey set, int pods) {
        podCounts.put(set, pods);
    }

    /** Forgets a set that is gone. */
    public void drop(SetKey set) {
        waiting.remove(set);
        podCounts.remove(set);
    }
}

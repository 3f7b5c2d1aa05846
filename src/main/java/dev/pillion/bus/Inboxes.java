package dev.pillion.bus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

import dev.pillion.api.PodChange;
import dev.pillion.api.SetKey;

/**
 * Pod changes waiting for each set: the one shared mutable structure. The watcher appends before it sends Enqueue; only the holder
 * of the set's current ticket drains. Of one Pod (by uid) only the last change is kept, and an inbox longer than its bound turns into
 * one Rebuild, so memory stays bounded. Changes for sets that are not worked on here are dropped: who takes them over begins with all
 * Pods anyway.
 */
public final class Inboxes {
    private static final int SMALLEST_BOUND = 64;
    private static final String REBUILD = "";

    private final ConcurrentMap<SetKey, Map<String, PodChange>> waiting = new ConcurrentHashMap<>();
    private final ConcurrentMap<SetKey, Integer> podCounts = new ConcurrentHashMap<>();
    private final Predicate<SetKey> accepts;

    /** @param accepts whether the set is worked on here; may change, see {@link #dropIf} */
    public Inboxes(Predicate<SetKey> accepts) {
        this.accepts = accepts;
    }

    public void append(SetKey set, PodChange change) {
        waiting.compute(set, (key, map) -> {
            if (!accepts.test(key)) {
                return null;
            }
            Map<String, PodChange> changes = map == null ? new LinkedHashMap<>() : map;
            if (changes.containsKey(REBUILD)) {
                return changes;
            }
            String pod = pod(change);
            boolean full = !changes.containsKey(pod) && changes.size() >= Math.max(SMALLEST_BOUND, 4 * podCounts.getOrDefault(key, 0));
            if (full || change instanceof PodChange.Rebuild) {
                changes.clear();
                changes.put(REBUILD, new PodChange.Rebuild());
            } else {
                changes.put(pod, change);
            }
            return changes;
        });
    }

    private static String pod(PodChange change) {
        return switch (change) {
            case PodChange.Seen seen -> seen.pod().key() + "/" + seen.pod().uid();
            case PodChange.Gone gone -> gone.pod() + "/" + gone.uid();
            case PodChange.Rebuild _ -> REBUILD;
        };
    }

    /** Takes everything that waits for the set, oldest first. */
    public List<PodChange> drain(SetKey set) {
        Map<String, PodChange> changes = waiting.remove(set);
        return changes == null ? List.of() : List.copyOf(changes.values());
    }

    /** Tells how many Pods the set has, which bounds its inbox. */
    public void podCount(SetKey set, int pods) {
        podCounts.put(set, pods);
    }

    /** Forgets sets that are worked on elsewhere now. */
    public void dropIf(Predicate<SetKey> gone) {
        waiting.keySet().removeIf(gone);
        podCounts.keySet().removeIf(gone);
    }

    /** Forgets a set that is gone. */
    public void drop(SetKey set) {
        waiting.remove(set);
        podCounts.remove(set);
    }
}

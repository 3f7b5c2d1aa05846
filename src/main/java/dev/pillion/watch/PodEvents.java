package dev.pillion.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.BusMessage.Cause;
import dev.pillion.watch.WatchOptions.Gaps;
import dev.pillion.watch.WatchOptions.NotUpdateStatus;

/**
 * Which sets a change of a Pod concerns, when and why (events.md 3). Only the annotation links a Pod to a set (3.1). Without effects;
 * keeps what it worked out of each set version, so one instance belongs to one thread.
 */
final class PodEvents {
    /**
     * @param wakeups in the order of the Pod's injected list
     * @param told sets whose ledgers must learn the change, whether it wakes them or not
     */
    record Verdict(List<Wakeup> wakeups, Set<SetKey> told) {
        static final Verdict NOTHING = new Verdict(List.of(), Set.of());

        Verdict {
            wakeups = List.copyOf(wakeups);
        }
    }

    private final WatchOptions options;
    private final Map<SetKey, SetView> views = new HashMap<>();

    PodEvents(WatchOptions options) {
        this.options = options;
    }

    /** @param sets the set of that name, if it exists */
    Verdict judge(Optional<PodView> old, Optional<PodView> now, Function<SetKey, Optional<SidecarSet>> sets) {
        if (now.isEmpty()) {
            return old.map(pod -> deleted(pod, sets)).orElse(Verdict.NOTHING);
        }
        if (old.isEmpty() || !old.get().uid().equals(now.get().uid())) {
            return created(now.get(), sets);
        }
        if (old.get().resourceVersion().equals(now.get().resourceVersion())) {
            return Verdict.NOTHING;
        }
        return updated(old.get(), now.get(), sets);
    }

    private Verdict created(PodView pod, Function<SetKey, Optional<SidecarSet>> sets) {
        List<Wakeup> wakeups = new ArrayList<>();
        List<SetView> named = named(pod, sets);
        named.stream().filter(v -> v.hasContainers(pod)).forEach(v -> wakeups.add(Wakeup.now(v.set().key(), Wakeup.POD_CREATED)));
        return new Verdict(wakeups, keys(named));
    }

    /** Traps 7.1 and 7.12: the reference wakes nobody, and tells only sets whose containers the Pod has. */
    private Verdict deleted(PodView pod, Function<SetKey, Optional<SidecarSet>> sets) {
        List<SetView> named = named(pod, sets);
        if (options.gaps() == Gaps.KEPT) {
            return new Verdict(List.of(), keys(named.stream().filter(v -> v.hasContainers(pod)).toList()));
        }
        return new Verdict(named.stream().map(v -> Wakeup.now(v.set().key(), Wakeup.POD_DELETED)).toList(), keys(named));
    }

    private Verdict updated(PodView old, PodView now, Function<SetKey, Optional<SidecarSet>> sets) {
        List<SetView> concerned = named(now, sets);
        if (options.gaps() == Gaps.CLOSED) {
            named(old, sets).stream().filter(v -> !v.isNamedBy(now)).forEach(concerned::add);
        }
        List<Wakeup> wakeups = new ArrayList<>();
        for (SetView view : concerned) {
            if (view.set().updateStrategy().isNotUpdate() && options.notUpdateStatus() == NotUpdateStatus.FROZEN) {
                continue;
            }
            cause(view, old, now).ifPresent(cause -> {
                Duration after = cause.equals(Wakeup.POD_CONSISTENCY) ? options.consistencyDelay() : Duration.ZERO;
                wakeups.add(new Wakeup(view.set().key(), after, cause));
            });
        }
        return new Verdict(wakeups, keys(concerned));
    }

    /**
     * 1. Begin or end of a match (trap 7.3, FR-38). 2. Status (3.3). 3. Consistency (3.4), after its delay. 4. Labels that the update
     * selector may judge (3.2.6). 5. Other facts that the counts or the next step rest on (FR-38, FR-41).
     */
    private Optional<Cause> cause(SetView view, PodView old, PodView now) {
        boolean closed = options.gaps() == Gaps.CLOSED;
        if (closed && isMatch(view, old) != isMatch(view, now)) {
            return Optional.of(Wakeup.POD_MATCH);
        }
        if (!view.isNamedBy(now) || !view.hasContainers(now)) {
            return Optional.empty();
        }
        if (isStatusChanged(old, now)) {
            return Optional.of(Wakeup.POD_STATUS);
        }
        if (closed && !view.recorded(old).equals(view.recorded(now))) {
            return Optional.of(Wakeup.POD_HASH);
        }
        if (view.isConsistent(old) != view.isConsistent(now)) {
            return Optional.of(Wakeup.POD_CONSISTENCY);
        }
        if (view.set().updateStrategy().selector().isPresent() && !old.labels().equals(now.labels())) {
            return Optional.of(Wakeup.POD_LABELS);
        }
        return closed && view.differInContainers(old, now) ? Optional.of(Wakeup.POD_CONTAINERS) : Optional.empty();
    }

    private static boolean isMatch(SetView view, PodView pod) {
        return view.isNamedBy(pod) && view.hasContainers(pod) && view.selects(pod);
    }

    /** Rule 3.3, and with trap 7.7 a Pod that became inactive. */
    private boolean isStatusChanged(PodView old, PodView now) {
        if (old.deleting() != now.deleting()) {
            return now.deleting();
        }
        if (old.deleting()) {
            return false;
        }
        return old.isReady() != now.isReady() || (options.gaps() == Gaps.CLOSED && old.isActive() != now.isActive());
    }

    /** Rule 3.1 without its last step: the sets of the injected list that exist, in order. Compatible: a name may occur twice. */
    private List<SetView> named(PodView pod, Function<SetKey, Optional<SidecarSet>> sets) {
        List<SetView> found = new ArrayList<>(pod.marks().injectedList().size());
        for (String name : pod.marks().injectedList()) {
            SetKey key = new SetKey(name);
            Optional<SidecarSet> set = sets.apply(key);
            if (set.isPresent()) {
                found.add(view(set.get()));
            } else {
                views.remove(key);
            }
        }
        return found;
    }

    @SuppressWarnings("ReferenceEquality") // a set is immutable and kept as long as it does not change
    private SetView view(SidecarSet set) {
        SetView known = views.get(set.key());
        if (known == null || known.set() != set) {
            known = new SetView(set, options.images());
            views.put(set.key(), known);
        }
        return known;
    }

    private static Set<SetKey> keys(List<SetView> views) {
        Set<SetKey> keys = new LinkedHashSet<>();
        views.forEach(v -> keys.add(v.set().key()));
        return keys;
    }
}

package dev.pillion.kube;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;

/**
 * All Pods that have not finished, indexed by the set names in their injected list.
 * <p>
 * A view is never replaced by an older one of the same Pod, so an own write stays visible although events that were on their way arrive later.
 * Listeners are told each step of the server's story once: their old view is the one they were told last, not the answer to an own write.
 * Writing is serialised by the monitor, reading is lock-free.
 */
final class PodStore implements PodCache, AllPods, Sink<PodView> {
    private final Map<PodKey, PodView> pods = new ConcurrentHashMap<>();
    private final Map<String, Set<PodKey>> bySet = new ConcurrentHashMap<>();
    /** What listeners know, where that differs from the view. */
    private final Map<PodKey, PodView> told = new ConcurrentHashMap<>();
    private final BiConsumer<Optional<PodView>, Optional<PodView>> listener;
    private final Set<PodKey> listed = new HashSet<>();
    private final LongAdder changes = new LongAdder();
    private History history = History.CONTINUED;

    PodStore(BiConsumer<Optional<PodView>, Optional<PodView>> listener) {
        this.listener = listener;
    }

    @Override
    public Optional<PodView> get(PodKey key) {
        return Optional.ofNullable(pods.get(key));
    }

    @Override
    public List<PodView> naming(SetKey set) {
        Set<PodKey> keys = bySet.get(set.name());
        if (keys == null) {
            return List.of();
        }
        List<PodView> found = new ArrayList<>(keys.size());
        for (PodKey key : keys) {
            PodView pod = pods.get(key);
            if (pod != null && pod.marks().injectedList().contains(set.name())) {
                found.add(pod);
            }
        }
        return found;
    }

    @Override
    public Collection<PodView> all() {
        return Collections.unmodifiableCollection(pods.values());
    }

    @Override
    public long changes() {
        return changes.sum();
    }

    int size() {
        return pods.size();
    }

    @Override
    public synchronized void applyOwnWrite(PodView pod) {
        PodView known = pods.get(pod.key());
        // Unknown or of another uid: it was deleted meanwhile, and its event must not be undone.
        if (known != null && known.uid().equals(pod.uid()) && pod.isNewerThan(known)) {
            told.putIfAbsent(pod.key(), known);
            put(pod);
        }
    }

    @Override
    public void listBegins(History of) {
        listed.clear();
        history = of;
    }

    @Override
    public void listed(ObjectReader.Item<PodView> item) {
        item.value().ifPresent(pod -> {
            listed.add(pod.key());
            take(pod, history);
        });
    }

    @Override
    public void listEnds() {
        for (PodKey key : List.copyOf(pods.keySet())) {
            if (!listed.contains(key)) {
                remove(key);
            }
        }
        listed.clear();
        history = History.CONTINUED;
    }

    @Override
    public void seen(ObjectReader.Item<PodView> item) {
        item.value().ifPresent(pod -> take(pod, History.CONTINUED));
    }

    @Override
    public void gone(ObjectReader.Item<PodView> item) {
        item.value().filter(pod -> get(pod.key()).map(PodView::uid).orElse("").equals(pod.uid())).ifPresent(pod -> remove(pod.key()));
    }

    private void take(PodView pod, History of) {
        if (get(pod.key()).filter(k -> !k.uid().equals(pod.uid())).isPresent()) {
            remove(pod.key());
        }
        Optional<PodView> before;
        synchronized (this) {
            PodView known = pods.get(pod.key());
            if (known != null && of == History.CONTINUED && known.isNewerThan(pod)) {
                return;
            }
            PodView toldLast = told.remove(pod.key());
            before = Optional.ofNullable(toldLast == null ? known : toldLast);
            if (isFinished(pod)) {
                drop(pod.key());
            } else {
                put(pod);
            }
        }
        // A Pod that was already finished when first seen concerns nobody (FR-57).
        if (before.isPresent() || !isFinished(pod)) {
            listener.accept(before, Optional.of(pod));
        }
    }

    private static boolean isFinished(PodView pod) {
        return pod.phase().equals("Succeeded") || pod.phase().equals("Failed");
    }

    private void remove(PodKey key) {
        Optional<PodView> before;
        synchronized (this) {
            PodView toldLast = told.remove(key);
            PodView known = drop(key);
            before = Optional.ofNullable(toldLast == null ? known : toldLast);
        }
        if (before.isPresent()) {
            listener.accept(before, Optional.empty());
        }
    }

    private void put(PodView pod) {
        PodView old = pods.put(pod.key(), pod);
        changes.increment();
        List<String> now = pod.marks().injectedList();
        if (old != null && old.marks().injectedList().equals(now)) {
            return;
        }
        if (old != null) {
            unlink(old);
        }
        now.forEach(set -> bySet.computeIfAbsent(set, _ -> ConcurrentHashMap.newKeySet()).add(pod.key()));
    }

    private @Nullable PodView drop(PodKey key) {
        PodView old = pods.remove(key);
        if (old != null) {
            changes.increment();
            unlink(old);
        }
        return old;
    }

    private void unlink(PodView pod) {
        for (String set : pod.marks().injectedList()) {
            bySet.computeIfPresent(set, (_, keys) -> {
                keys.remove(pod.key());
                return keys.isEmpty() ? null : keys;
            });
        }
    }
}

package dev.pillion.startup;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.PodView;
import dev.pillion.kube.PodCache;

/**
 * The Pods that still need something, with what is remembered of them: kept by whoever sees them change, whether or not this instance acts.
 * An entry ends with its Pod, or when nothing is left to do. Safe for all threads; a memo has one writer at a time, the queue's promise.
 */
final class OpenPods {
    private final StartupOptions options;
    private final PodCache cache;
    private final ConcurrentMap<PodKey, Optional<Memo>> pods = new ConcurrentHashMap<>();

    OpenPods(StartupOptions options, PodCache cache) {
        this.options = options;
        this.cache = cache;
    }

    /** Begins, keeps or ends the entry by what the cache says now. Whether the Pod needs something. */
    boolean judge(PodKey key) {
        return pods.compute(key, (_, memo) -> cache.get(key).filter(this::isNeedy).isEmpty()
                ? null
                : Objects.requireNonNullElse(memo, Optional.empty())) != null;
    }

    private boolean isNeedy(PodView pod) {
        boolean gate = options.serves(Feature.READINESS_GATE) && !(pod.startup().gate() instanceof ReadyGate.Settled);
        boolean launch = options.serves(Feature.LAUNCH_PRIORITY) && pod.startup().launch().isPresent();
        return !pod.deleting() && (gate || launch);
    }

    /** A fresh one when the Pod of that name was another when last looked at. */
    Memo memo(PodView pod, long now) {
        return pods.getOrDefault(pod.key(), Optional.empty()).filter(m -> m.uid().equals(pod.uid()))
                .orElseGet(() -> Memo.of(pod.uid(), now));
    }

    /** Does nothing for a Pod that is gone meanwhile. */
    void remember(PodView pod, Memo memo) {
        pods.computeIfPresent(pod.key(), (_, _) -> Optional.of(memo));
    }

    /** A live view of the names. */
    Set<PodKey> keys() {
        return pods.keySet();
    }
}

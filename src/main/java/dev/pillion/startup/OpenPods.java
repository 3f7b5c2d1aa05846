package dev.pillion.startup;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.PodView;

/**
 * The Pods that still need something, with what is remembered of them: kept by whoever sees them change, whether or not this instance acts.
 * An entry ends with its Pod, or when nothing is left to do. Safe for all threads; a memo has one writer at a time, the queue's promise.
 */
final class OpenPods {
    private final StartupOptions options;
    private final ConcurrentMap<PodKey, Optional<Memo>> pods = new ConcurrentHashMap<>();

    OpenPods(StartupOptions options) {
        this.options = options;
    }

    /** Whether the Pod needs something now. */
    boolean see(PodView pod) {
        boolean needy = isNeedy(pod);
        if (needy) {
            pods.putIfAbsent(pod.key(), Optional.empty());
        } else {
            pods.remove(pod.key());
        }
        return needy;
    }

    boolean isNeedy(PodView pod) {
        boolean gate = options.serves(Feature.READINESS_GATE) && !(pod.startup().gate() instanceof ReadyGate.Settled);
        boolean launch = options.serves(Feature.LAUNCH_PRIORITY) && pod.startup().launch().isPresent();
        return !pod.deleting() && (gate || launch);
    }

    void forget(PodKey pod) {
        pods.remove(pod);
    }

    /** A fresh one when the Pod of that name was another when last looked at. */
    Memo memo(PodView pod, long now) {
        return pods.getOrDefault(pod.key(), Optional.empty()).filter(m -> m.uid().equals(pod.uid())).orElseGet(() -> Memo.of(pod.uid(), now));
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

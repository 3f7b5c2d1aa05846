package dev.pillion.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;

/** Pods by the uid of their controller. Answers to own creations and deletions count at once, so no round repeats the last one. Safe for threads. */
final class OwnedPods {
    private static final int REMEMBERED = 50_000;

    /** active: neither finished nor being deleted. created as Kubernetes writes it, which orders as text. */
    record Owned(String namespace, String name, String uid, long version, boolean active, boolean ready, String created) {
    }

    private final Map<String, Map<String, Owned>> byOwner = new HashMap<>();
    /** Uids that are gone: the answer to a creation may arrive after the deletion's event. */
    private final Map<String, Boolean> gone = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The controller's reference; empty when it has none. */
    static Optional<OwnerReference> controller(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream().filter(r -> Boolean.TRUE.equals(r.getController())).findFirst();
    }

    synchronized void put(Pod pod) {
        String uid = pod.getMetadata().getUid();
        Optional<OwnerReference> owner = controller(pod);
        if (owner.isEmpty() || gone.containsKey(uid)) {
            return;
        }
        Owned now = owned(pod);
        byOwner.computeIfAbsent(owner.get().getUid(), _ -> new HashMap<>()).merge(uid, now,
                (a, b) -> Long.compareUnsigned(a.version(), b.version()) > 0 ? a : b);
    }

    synchronized void remove(Pod pod) {
        gone.put(pod.getMetadata().getUid(), true);
        controller(pod).ifPresent(owner -> byOwner.computeIfPresent(owner.getUid(), (_, pods) -> {
            pods.remove(pod.getMetadata().getUid());
            return pods.isEmpty() ? null : pods;
        }));
    }

    /** Own deletion: it does not count any more, though it may still be there for a while. */
    synchronized void deleted(String owner, Owned pod) {
        byOwner.getOrDefault(owner, new HashMap<>()).computeIfPresent(pod.uid(),
                (_, p) -> new Owned(p.namespace(), p.name(), p.uid(), p.version(), false, false, p.created()));
    }

    synchronized List<Owned> active(String owner) {
        return byOwner.getOrDefault(owner, Map.of()).values().stream().filter(Owned::active).toList();
    }

    /** Those to delete first: not ready before ready, younger before older. */
    synchronized List<Owned> leastWanted(String owner, int count) {
        List<Owned> pods = new ArrayList<>(active(owner));
        pods.sort(Comparator.comparing(Owned::ready).thenComparing(Comparator.comparing(Owned::created).reversed())
                .thenComparing(Owned::name));
        return List.copyOf(pods.subList(0, Math.min(count, pods.size())));
    }

    private static Owned owned(Pod pod) {
        String phase = pod.getStatus() == null || pod.getStatus().getPhase() == null ? "" : pod.getStatus().getPhase();
        boolean ready = pod.getStatus() != null
                && pod.getStatus().getConditions().stream().anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
        boolean active = pod.getMetadata().getDeletionTimestamp() == null && !phase.equals("Succeeded") && !phase.equals("Failed");
        String created = pod.getMetadata().getCreationTimestamp();
        return new Owned(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), pod.getMetadata().getUid(),
                Long.parseUnsignedLong(pod.getMetadata().getResourceVersion()), active, ready, created == null ? "" : created);
    }
}

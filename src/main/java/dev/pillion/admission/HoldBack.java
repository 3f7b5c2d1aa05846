package dev.pillion.admission;

import java.time.Duration;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.pillion.api.Json;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.LatestSets;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.WebhookMeters;

import tools.jackson.databind.JsonNode;

/**
 * Holds a Pod back that comes just after its set was written, until the index has caught up:
 * <ol>
 * <li>an admitted write of a set is remembered for a few seconds: it may be stored any moment, and the watch tells of it some
 * milliseconds later;
 * <li>a Pod that such a set takes, as written or as the index still has it, waits for an index with that write or a later one;
 * <li>a write may never be stored, since others can refuse it: after half a second the Pod is judged by what there is.
 * </ol>
 * A held Pod does not count as one in work. Every replica knows of the writes that it admitted itself. Safe for all threads.
 */
public final class HoldBack {
    /** How long after its review a write is expected in the index. */
    private static final Duration MEMORY = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMillis(500);
    /** Of the time that an answer may take, the part that waiting may. */
    private static final int SHARE_OF_DEADLINE = 4;
    /** Each is a set's tree; more at once means a mass import, where the oldest are in the index by then. */
    private static final int MOST = 1000;

    /**
     * An admitted write.
     *
     * @param base resourceVersion that it changes; "" for a create
     * @param until end of its memory, on the monotonic clock
     */
    private record Write(CompiledSet set, String base, long until) {
        /** Whether the index has this write or a later one. A create is known by its uid; revisions of one set only grow. */
        boolean isIn(SetIndex index) {
            Optional<SidecarSet> known = index.set(set.set().key());
            if (base.isEmpty()) {
                return known.filter(k -> set.set().uid().isEmpty() || k.uid().equals(set.set().uid())).isPresent();
            }
            // Gone: deleted after the write, or before it was stored.
            return known.isEmpty() || isLater(known.get().resourceVersion(), base);
        }

        private static boolean isLater(String version, String than) {
            try {
                return Long.compareUnsigned(Long.parseUnsignedLong(version), Long.parseUnsignedLong(than)) > 0;
            } catch (NumberFormatException _) {
                return !version.equals(than);
            }
        }

        boolean concerns(Place pod, SetIndex index) {
            return pod.isTakenBy(set, index) || index.compiled(set.set().key()).filter(known -> pod.isTakenBy(known, index)).isPresent();
        }
    }

    /** What sets choose a Pod by. */
    record Place(String namespace, Map<String, String> labels) {
        /** As the injector sees it. */
        static Place of(JsonNode pod, String requestNamespace) {
            JsonNode metadata = pod.path("metadata");
            String own = Json.text(metadata, "namespace");
            String namespace = own.isEmpty() ? requestNamespace : own;
            Map<String, String> labels = new HashMap<>();
            metadata.path("labels").properties().forEach(l -> labels.put(l.getKey(), l.getValue().asString("")));
            return new Place(namespace.isEmpty() ? "default" : namespace, labels);
        }

        boolean isTakenBy(CompiledSet set, SetIndex index) {
            Optional<NamespaceView> view = index.namespace(namespace);
            return !set.set().injectionStrategy().paused() && set.isIndexedUnder(namespace) && set.matchesLabels(labels)
                    && (view.isEmpty() || set.matchesNamespace(view));
        }
    }

    private final LatestSets latest;
    private final Gate gate;
    private final WebhookMeters meters;
    private final Duration longest;
    private final LongSupplier nanos;
    private final Map<SetKey, Write> writes = new LinkedHashMap<>();
    /** By identity, which is the equality of futures. */
    private final IdentityHashMap<CompletableFuture<SetIndex>, Place> held = new IdentityHashMap<>();

    /** @param deadline by which an answer must be sent */
    public HoldBack(LatestSets latest, Gate gate, WebhookMeters meters, Duration deadline, LongSupplier nanos) {
        this.latest = latest;
        this.gate = gate;
        this.meters = meters;
        Duration share = deadline.dividedBy(SHARE_OF_DEADLINE);
        this.longest = share.compareTo(LONGEST) < 0 ? share : LONGEST;
        this.nanos = nanos;
    }

    /** Remembers an admitted write, unless it changes nothing that a Pod could see. */
    void admitted(SidecarSet set, Optional<SidecarSet> old) {
        if (old.isPresent() && isSame(set, old.get())) {
            return;
        }
        Write write = new Write(CompiledSet.of(set), old.map(SidecarSet::resourceVersion).orElse(""), nanos.getAsLong() + MEMORY.toNanos());
        synchronized (this) {
            writes.remove(set.key());
            writes.put(set.key(), write);
            if (writes.size() > MOST) {
                writes.remove(writes.keySet().iterator().next());
            }
        }
    }

    /** A write without change is not stored, so nothing would ever follow it. */
    private static boolean isSame(SidecarSet set, SidecarSet old) {
        return set.raw().path("spec").equals(old.raw().path("spec")) && set.labels().equals(old.labels())
                && set.annotations().equals(old.annotations());
    }

    /** The index to judge a Pod with: at once, or when it has caught up. Completes normally, always. */
    CompletionStage<SetIndex> sets(SetIndex index, Supplier<Place> pod) {
        CompletableFuture<SetIndex> released = new CompletableFuture<>();
        synchronized (this) {
            prune(index);
            if (writes.isEmpty()) {
                return CompletableFuture.completedStage(index);
            }
            Place place = pod.get();
            if (!mustWait(place, index)) {
                return CompletableFuture.completedStage(index);
            }
            held.put(released, place);
        }
        // A new index may have come between the caller's look and ours.
        published();
        Executor later = CompletableFuture.delayedExecutor(longest.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread);
        later.execute(() -> giveUp(released, index));
        return gate.aside(released);
    }

    private void giveUp(CompletableFuture<SetIndex> released, SetIndex index) {
        synchronized (this) {
            if (held.remove(released) == null) {
                return;
            }
        }
        meters.held("given-up");
        released.complete(latest.known().orElse(index));
    }

    /** Releases whom the latest index satisfies. To be called after each new one. */
    void published() {
        latest.known().ifPresent(index -> {
            for (CompletableFuture<SetIndex> released : satisfied(index)) {
                // Their Pods are judged on threads of their own, not all on this one.
                meters.held("caught-up");
                Thread.startVirtualThread(() -> released.complete(index));
            }
        });
    }

    private synchronized List<CompletableFuture<SetIndex>> satisfied(SetIndex index) {
        prune(index);
        List<CompletableFuture<SetIndex>> satisfied = held.entrySet().stream().filter(pod -> !mustWait(pod.getValue(), index))
                .map(Map.Entry::getKey).toList();
        satisfied.forEach(held::remove);
        return satisfied;
    }

    private void prune(SetIndex index) {
        long now = nanos.getAsLong();
        writes.values().removeIf(w -> w.until - now < 0 || w.isIn(index));
    }

    private boolean mustWait(Place pod, SetIndex index) {
        return writes.values().stream().anyMatch(w -> w.concerns(pod, index));
    }
}

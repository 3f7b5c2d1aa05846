package dev.pillion.kube;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.ListWatch.AfterSilence;
import dev.pillion.match.NamespaceView;

/**
 * The local view of Pods, SidecarSets, Namespaces, own ControllerRevisions and the own configuration, each followed by its own {@link ListWatch}.
 * All kinds use it, not the client's informers: those renew a watch after 5 to 10 minutes by listing everything anew, tell of no renewal and have
 * no guard against a silent network, so a quiet watch could not be told from a dead one (FR-60, FR-61).
 */
public final class Watches implements ChangeSource {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);
    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(10);
    private static final int INTERNED = 1 << 16;

    private final KubeClient client;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final Listener listener = new Listener();
    private final PodStore pods = new PodStore((old, now) -> listener.tell("pods", c -> c.pod(old, now)));
    private final TypedStore<SidecarSet> sets = store("sidecarsets", (c, old, now) -> c.set(old, now));
    private final TypedStore<NamespaceView> namespaces = store("namespaces", (c, old, now) -> c.namespace(old, now));
    private final TypedStore<Revision> revisions = new TypedStore<>(r -> r.labels().getOrDefault(Wire.SET_NAME_LABEL, ""),
            (old, now) -> listener.tell("controllerrevisions", c -> c.revision(old, now)));
    private final TypedStore<Configuration> configuration = store("configmaps",
            (c, _, now) -> c.whitelist(now.flatMap(Configuration::whitelist)));
    private final Map<String, WatchHealth> health = new LinkedHashMap<>();
    private List<ListWatch<?>> running = List.of();
    private Optional<ScheduledThreadPoolExecutor> guard = Optional.empty();
    private Thread waiter = Thread.ofVirtual().unstarted(() -> {
    });

    /** @param nanos monotonic time in nanoseconds, usually System::nanoTime */
    public Watches(KubeClient client, LongSupplier nanos, RandomGenerator random) {
        this.client = client;
        this.nanos = nanos;
        this.random = random;
    }

    public PodCache pods() {
        return pods;
    }

    public AllPods allPods() {
        return pods;
    }

    /** Writes whose answers are read no further than the version when the watch has told that version already. */
    public PodWrites podWrites() {
        return new HttpPodWrites(client.api(), pods::get);
    }

    public RevisionWrites revisionWrites() {
        return new HttpRevisionWrites(client.api(), client.options().namespace(), revisions);
    }

    /** Time since the last sign of life of each watch, by kind: the metric and the readiness rule of FR-60. Empty before the start. */
    public synchronized Map<String, Duration> silences() {
        Map<String, Duration> silences = new LinkedHashMap<>();
        health.forEach((word, h) -> silences.put(word, h.silence()));
        return silences;
    }

    /** Starts all watches and returns at once. @throws IllegalStateException when they run already */
    @Override
    public synchronized void start(Changes changes) {
        if (guard.isPresent()) {
            throw new IllegalStateException("already started");
        }
        listener.changes = changes;
        KubeOptions options = client.options();
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("watch-guard").factory());
        timer.setRemoveOnCancelPolicy(true);
        guard = Optional.of(timer);
        var times = new ListWatch.WatchTimes(options.requestTimeout(), options.watchTimeout(), margin(options.watchTimeout()));
        var shared = new ListWatch.Shared(client.api(), times, timer, random, nanos);
        running = List.of(
                watch(new ListWatch.KubeKind("namespaces", "/api/v1/namespaces").with(AfterSilence.LIST), shared,
                        new TreeReader<>(KubeObjects::namespace), namespaces, changes),
                watch(new ListWatch.KubeKind("sidecarsets", KubeObjects.SETS).with(AfterSilence.LIST), shared,
                        new TreeReader<>(SidecarSet::of), sets, changes),
                watch(new ListWatch.KubeKind("controllerrevisions", KubeObjects.revisions(options.namespace())), shared,
                        new TreeReader<>(KubeObjects::revision), revisions, changes),
                watch(new ListWatch.KubeKind("configmaps", KubeObjects.configMaps(options.namespace()), Optional.of(Wire.CONFIG_MAP),
                        AfterSilence.RESUME), shared, new TreeReader<>(KubeObjects::configuration), configuration, changes),
                watch(new ListWatch.KubeKind("pods", "/api/v1/pods"), shared, new PodViewReader(new Interner(INTERNED), pods::get), pods,
                        changes));
        running.forEach(ListWatch::start);
        List<ListWatch<?>> awaited = running;
        waiter = Thread.ofVirtual().name("watch-synced").start(() -> tellSynced(awaited));
    }

    /** A silent watch must start anew before health.watch-silence is over: 120 s and 10 s against 150 s by default. */
    private static Duration margin(Duration watchTimeout) {
        Duration half = watchTimeout.dividedBy(2);
        return half.compareTo(LONGEST_MARGIN) < 0 ? half : LONGEST_MARGIN;
    }

    private <T> ListWatch<T> watch(ListWatch.KubeKind kind, ListWatch.Shared shared, ObjectReader<T> reader, Sink<T> sink,
            Changes changes) {
        WatchHealth watched = new WatchHealth(kind.word(), changes, nanos);
        health.put(kind.word(), watched);
        return new ListWatch<>(kind, shared, reader, sink, watched);
    }

    private void tellSynced(List<ListWatch<?>> watches) {
        try {
            for (ListWatch<?> watch : watches) {
                watch.synced().await();
            }
            listener.tell("all", Changes::synced);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void refresh(long since) throws InterruptedException {
        List<ListWatch<?>> watches = running();
        watches.forEach(w -> w.wantList(since));
        for (ListWatch<?> watch : watches) {
            watch.awaitList(since);
        }
    }

    private synchronized List<ListWatch<?>> running() {
        if (guard.isEmpty()) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    /** Ends all watches and waits for their threads, at most 5 s in all. No callback comes afterwards. */
    @Override
    public synchronized void stop() {
        listener.changes = null;
        running.forEach(ListWatch::stop);
        waiter.interrupt();
        try {
            for (ListWatch<?> watch : running) {
                if (!watch.awaitEnd(Duration.ofMillis(1250))) {
                    LOG.atWarn().log("a watch did not end in time");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        guard.ifPresent(ScheduledThreadPoolExecutor::shutdownNow);
    }

    private <T> TypedStore<T> store(String word, Telling<T> telling) {
        return new TypedStore<>(_ -> "", (old, now) -> listener.tell(word, c -> telling.tell(c, old, now)));
    }

    /** One of the callbacks of Changes. */
    private interface Telling<T> {
        void tell(Changes changes, Optional<T> old, Optional<T> now);
    }
}

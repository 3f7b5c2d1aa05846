package dev.pillion.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

import dev.pillion.admission.AdmissionVerticle;
import dev.pillion.admission.Gate;
import dev.pillion.admission.HoldBack;
import dev.pillion.admission.Rehearsal;
import dev.pillion.admission.ServingCertificate;
import dev.pillion.admission.TlsEngine;
import dev.pillion.admission.Warmup;
import dev.pillion.admission.Webhooks;
import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.HealthParts;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Slots;
import dev.pillion.config.Config;
import dev.pillion.explain.Census;
import dev.pillion.inject.Moment;
import dev.pillion.kube.ChangeSource;
import dev.pillion.kube.EventRecorder;
import dev.pillion.kube.EventSink;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.kube.Watches;
import dev.pillion.metrics.CensusMeters;
import dev.pillion.metrics.HealthBoard;
import dev.pillion.metrics.ManagementVerticle;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.QueueMeters;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.metrics.ShardMeters;
import dev.pillion.metrics.StartupMeters;
import dev.pillion.metrics.WatchMeters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.queue.QueueVerticle;
import dev.pillion.reconcile.CensusVerticle;
import dev.pillion.reconcile.KubePorts;
import dev.pillion.reconcile.Ledgers;
import dev.pillion.reconcile.Reconciler;
import dev.pillion.reconcile.WorkerVerticle;
import dev.pillion.shard.LeaseTimes;
import dev.pillion.shard.ShardOptions;
import dev.pillion.shard.ShardShared;
import dev.pillion.shard.ShardVerticle;
import dev.pillion.startup.Feature;
import dev.pillion.startup.StartupOptions;
import dev.pillion.startup.StartupPorts;
import dev.pillion.startup.StartupVerticle;
import dev.pillion.watch.WatchVerticle;

/**
 * One running controller: everything wired and deployed, receivers before senders.
 * Start: management, admission (refuses until it knows the sets), queue, workers, slots, the start of Pods, watch; when the first lists are complete the own
 * webhooks are warmed; then the webhook configurations are written. A cluster that cannot be reached delays all this and ends nothing.
 * Stop: unready; the slots are given away, so that another replica goes on at once; then in the opposite order, the queue draining and admission answering what it has begun; the client last.
 */
final class Controller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    static final String SERVICE = "pillion-webhook-service";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int WARM_UP_ROUNDS = 50;
    static final Duration STOP_STEP = Duration.ofSeconds(20);
    /** Endpoints and API servers notice an unready Pod within seconds; it goes on serving so long (FR-26). */
    static final Duration FAREWELL = Duration.ofSeconds(5);

    private final Launch launch;
    private final Config config;
    private final Vertx vertx;
    private final Meters meters = new Meters();
    private final HealthBoard board;
    private final LongSupplier nanos = System::nanoTime;
    /** Unique for this start: a restarted process must not take itself for the one before. */
    private final String identity = hostName() + "_" + HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private final Ownership ownership;
    private final KubeClient kube;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final AtomicBoolean opened = new AtomicBoolean();
    private final AtomicBoolean stopping = new AtomicBoolean();
    /** What stops the parts deployed so far, the last one first. */
    private final Deque<Step> stops = new ConcurrentLinkedDeque<>();
    private final AtomicReference<Step> handOver = new AtomicReference<>(new Step("slots", Future::succeededFuture));

    private record Step(String name, Supplier<Future<?>> stop) {
    }

    private Controller(Launch launch) {
        this.launch = launch;
        this.config = launch.config();
        this.kube = KubeClient.connect(launch.kubeconfig(), new KubeOptions(config.namespace(), identity, config.kube().requestTimeout(),
                config.kube().watchTimeout(), config.admission().namespaceRead()));
        this.ownership = new Ownership(new Slots(config.shard().slots()), nanos);
        this.vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        this.board = new HealthBoard(
                Set.of(HealthParts.PROGRAM, HealthParts.WATCH, HealthParts.QUEUE, HealthParts.WORKERS, HealthParts.CERTS),
                Map.of(HealthParts.QUEUE, Duration.ofSeconds(30)), nanos);
    }

    /**
     * Deploys everything and returns; the cluster may be reached later.
     *
     * @throws IllegalArgumentException when the kubeconfig cannot be used
     * @throws IllegalStateException when a part does not start, such as a port in use
     */
    static Controller start(Launch launch) {
        Controller controller = new Controller(launch);
        try {
            controller.deploy();
            return controller;
        } catch (RuntimeException e) {
            controller.close();
            throw e;
        }
    }

    /** Whether the controller became ready in time. */
    boolean awaitReady(Duration patience) throws InterruptedException {
        try {
            ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the controller failed while it started", e.getCause());
        }
    }

    /** What keeps it from being ready, one line each. */
    List<String> notReady() {
        return board.notReady();
    }

    private void deploy() {
        BusCodec.register(vertx.eventBus());
        vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> {
            board.accept(m.body());
            if (board.notReady().isEmpty() && ready.complete(null)) {
                LOG.atInfo().addKeyValue("admissionPort", launch.admissionPort()).log("Pillion is ready");
            }
        });
        ManagementVerticle management = new ManagementVerticle(launch.listenHost(), config.metrics().port(), meters, board);
        deploy("management", management, ThreadingModel.EVENT_LOOP);
        TlsRehearsal.run(new SecureRandom(), Clock.systemUTC().instant());
        Certificates certificates = Certificates.find(launch, kube, meters);
        EventRecorder events = kube.events(Clock.systemUTC(), new SecureRandom());
        stops.push(new Step("events", () -> vertx.executeBlocking(() -> {
            events.close();
            return true;
        })));
        LatestSets latest = new LatestSets();
        deployAdmission(certificates.first(), latest, events);
        Inboxes inboxes = new Inboxes(ownership::accepts);
        Watches watches = new Watches(kube, nanos, new SecureRandom());
        Ledgers ledgers = new Ledgers(Choices.rollout(config));
        deployQueueAndWorkers(
                new KubePorts(watches.pods(), watches.podWrites(), kube.setWrites(), watches.revisionWrites(), events), latest, inboxes,
                ledgers);
        deploySlots(new ShardShared(ownership, latest, gone -> {
            ledgers.dropIf(gone);
            inboxes.dropIf(gone);
        }, events, new ShardMeters(meters)));
        deploy("census", new CensusVerticle(watches.allPods(), latest, new CensusMeters(meters, Census.REASONS),
                new CensusVerticle.Options(config.namespace(), config.metrics().perSetLimit()), nanos), ThreadingModel.VIRTUAL_THREAD);
        ChangeSource source = withStartup(watches, events);
        vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> {
            if (m.body().part().equals(HealthParts.WATCH) && m.body().ok()) {
                openUp(certificates);
            }
        });
        deploy("watch", new WatchVerticle(source, new WatchVerticle.Shared(inboxes, latest, new WatchMeters(meters, nanos)),
                Choices.watch(config), config.health().watchSilence(), nanos), ThreadingModel.VIRTUAL_THREAD);
    }

    private void deployAdmission(CertChanged certificate, LatestSets latest, EventSink events) {
        Supplier<Moment> moments = () -> Moment.of(Clock.systemUTC().instant(), ThreadLocalRandom.current());
        WebhookMeters webhookMeters = new WebhookMeters(meters);
        Gate gate = new Gate(config.admission().inFlight(), config.admission().bodyLimit());
        HoldBack holdBack = new HoldBack(latest, gate, webhookMeters, config.admission().deadline(), nanos);
        Webhooks webhooks = new Webhooks(Choices.webhooks(config), kube.liveReads(), moments, webhookMeters,
                (set, message) -> events.onSet(set, EventSink.Type.WARNING, "InjectionRefused", message), holdBack);
        AdmissionVerticle.Options options = new AdmissionVerticle.Options(launch.listenHost(), launch.admissionPort(),
                config.admission().bodyLimit(), config.admission().deadline(), TlsEngine.best());
        ServingCertificate shared = new ServingCertificate(certificate);
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            deploy("admission", new AdmissionVerticle(options, webhooks, gate, webhookMeters, shared, latest), ThreadingModel.EVENT_LOOP);
        }
    }

    /** Deploys what serves Pods that start, if any of it is switched on; returns the watches it hears of. */
    private ChangeSource withStartup(Watches watches, EventSink events) {
        Set<Feature> features = Choices.startup(config);
        if (features.isEmpty()) {
            return watches;
        }
        StartupPorts ports = new StartupPorts(watches.pods(), watches.podWrites(), kube.barrierWrites(), events);
        StartupVerticle startup = new StartupVerticle(ports, StartupOptions.of(features), _ -> ownership.leads(), new StartupMeters(meters),
                nanos,
                Clock.systemUTC());
        deploy("startup", startup, ThreadingModel.EVENT_LOOP);
        return startup.tap(watches);
    }

    private void deployQueueAndWorkers(KubePorts ports, LatestSets latest, Inboxes inboxes, Ledgers ledgers) {
        ReconcileMeters reconcileMeters = new ReconcileMeters(meters, config.workers());
        Reconciler reconciler = new Reconciler(ports, new Reconciler.Shared(latest, inboxes, ledgers, reconcileMeters, ownership),
                Choices.reconcile(config), Clock.systemUTC());
        QueueVerticle queue = new QueueVerticle(Choices.queue(config), config.queue().stuckAfter(), new QueueMeters(meters, nanos), nanos,
                ownership);
        // The queue drains before the workers go, so its step is put above theirs although it is deployed first.
        Step stopQueue = deployed("queue", queue, ThreadingModel.EVENT_LOOP);
        for (int i = 0; i < config.workers(); i++) {
            deploy("worker", new WorkerVerticle(i, reconciler, reconcileMeters, nanos), ThreadingModel.VIRTUAL_THREAD);
        }
        stops.push(stopQueue);
    }

    private void deploySlots(ShardShared shared) {
        LeaseTimes times = Choices.lease(config);
        ShardVerticle slots = new ShardVerticle(new ShardOptions(identity, times), kube.leases(times.request()), shared, nanos,
                Clock.systemUTC());
        handOver.set(deployed("slots", slots, ThreadingModel.EVENT_LOOP));
    }

    /** Once the sets are known: warm the webhooks, then let the API server come. Off the event loop. */
    private void openUp(Certificates certificates) {
        if (!opened.compareAndSet(false, true)) {
            return;
        }
        vertx.executeBlocking(() -> {
            Rehearsal.run(WARM_UP_ROUNDS, Choices.webhooks(config).inject());
            new Warmup(LOOPBACK, launch.admissionPort(), certificates.first().certificatePem()).run(WARM_UP_ROUNDS);
            return true;
        }, false).compose(_ -> vertx.deployVerticle(certificates.verticle(), options(ThreadingModel.VIRTUAL_THREAD))).onSuccess(id -> {
            stops.push(new Step("certs", () -> vertx.undeploy(id)));
            vertx.eventBus().publish(Addresses.HEALTH, new Health(HealthParts.PROGRAM, true, ""));
        }).onFailure(e -> {
            LOG.atError().setCause(e).log("The own webhooks do not answer");
            vertx.eventBus().publish(Addresses.HEALTH,
                    new Health(HealthParts.PROGRAM, false, "own webhooks do not answer: " + e.getMessage()));
        });
    }

    private void deploy(String name, VerticleBase verticle, ThreadingModel model) {
        stops.push(deployed(name, verticle, model));
    }

    private Step deployed(String name, VerticleBase verticle, ThreadingModel model) {
        try {
            String id = vertx.deployVerticle(verticle, options(model)).toCompletionStage().toCompletableFuture().get();
            return new Step(name, () -> vertx.undeploy(id));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting " + name, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(name + " does not start: " + e.getCause(), e.getCause());
        }
    }

    private static DeploymentOptions options(ThreadingModel model) {
        return new DeploymentOptions().setThreadingModel(model);
    }

    /** Stops in order; may be called again and from any thread but an event loop. */
    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    /** As {@link #close}, for a process that API servers may be asking: they get {@link #FAREWELL} to turn to another replica. */
    void leave() {
        stop(ready.isDone() ? FAREWELL : Duration.ZERO);
    }

    private void stop(Duration farewell) {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        LOG.atInfo().log("Pillion is stopping");
        vertx.eventBus().publish(Addresses.HEALTH, new Health(HealthParts.PROGRAM, false, "stopping"));
        board.accept(new Health(HealthParts.PROGRAM, false, "stopping"));
        Step slots = handOver.get();
        finish(slots.name(), slots.stop().get());
        pause(farewell);
        while (!stops.isEmpty()) {
            Step step = stops.pop();
            finish(step.name(), step.stop().get());
        }
        finish("vertx", vertx.close());
        kube.close();
        meters.close();
        LOG.atInfo().log("Pillion has stopped");
    }

    private static void finish(String name, Future<?> step) {
        try {
            step.toCompletionStage().toCompletableFuture().get(STOP_STEP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.atWarn().addKeyValue("part", name).addKeyValue("reason", String.valueOf(e)).log("Part did not stop in order");
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "pillion";
        }
    }
}

package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;

import dev.pillion.api.Json;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Done;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Reconcile;
import dev.pillion.bus.BusMessage.WorkerGone;
import dev.pillion.bus.BusMessage.WorkerReady;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Owning;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

class WorkerVerticleTest {
    private final Vertx vertx = Vertx.vertx();
    private final Meters meters = new Meters();
    private final FaultyKube kube = new FaultyKube();
    private final BlockingQueue<BusMessage> toQueue = new LinkedBlockingQueue<>();
    private String deployment = "";

    @BeforeEach
    void deploy() throws Exception {
        BusCodec.register(vertx.eventBus());
        vertx.eventBus().<BusMessage>localConsumer(Addresses.QUEUE, m -> toQueue.add(m.body()));
        LatestSets latest = new LatestSets();
        List<SidecarSet> sets = new ArrayList<>();
        for (String name : List.of("good", "bad")) {
            sets.add(kube.put((ObjectNode) Json.read("{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"" + name + "\"},\"spec\":{}}")));
        }
        latest.put(SetIndex.of(sets, List.of()));
        ReconcileMeters reconcileMeters = new ReconcileMeters(meters, 1);
        Reconciler reconciler = new Reconciler(kube.ports(),
                new Reconciler.Shared(latest, new Inboxes(_ -> true), new Ledgers(RolloutOptions.PILLION), reconcileMeters,
                        Owning.everything()),
                ReconcileOptions.PILLION,
                java.time.InstantSource.system());
        deployment = vertx.deployVerticle(new WorkerVerticle(3, reconciler, reconcileMeters, System::nanoTime),
                new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD)).await(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        vertx.close();
        meters.close();
    }

    @Test
    void saysReadyThenDoneAndGoneWhenItLeaves() throws Exception {
        assertThat(next()).isEqualTo(new WorkerReady(3));
        send("good", 7);
        assertThat(next()).isEqualTo(new Done(new SetKey("good"), 7, new Outcome.Settled()));

        vertx.undeploy(deployment).await(20, TimeUnit.SECONDS);
        assertThat(next()).isEqualTo(new WorkerGone(3));
    }

    @Test
    void whateverASetThrowsTheWorkerGoesOn() throws Exception {
        assertThat(next()).isEqualTo(new WorkerReady(3));
        kube.before = line -> {
            if (line.equals("set")) {
                throw new StackOverflowError("nested too deeply");
            }
        };
        send("bad", 1);
        assertThat(next()).isEqualTo(new Done(new SetKey("bad"), 1, new Outcome.Failed("fault")));

        kube.before = _ -> {
        };
        send("good", 2);
        assertThat(next()).isEqualTo(new Done(new SetKey("good"), 2, new Outcome.Settled()));
        assertThat(meters.scrape()).contains("controller_runtime_reconcile_errors_total{controller=\"sidecarset-controller\"} 1.0",
                "controller_runtime_active_workers{controller=\"sidecarset-controller\"} 0.0");
    }

    private void send(String set, long ticket) {
        vertx.eventBus().send(Addresses.worker(3), new Reconcile(new SetKey(set), ticket, 0));
    }

    private BusMessage next() throws InterruptedException {
        return Objects.requireNonNull(toQueue.poll(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS), "nothing came within 20 s");
    }
}

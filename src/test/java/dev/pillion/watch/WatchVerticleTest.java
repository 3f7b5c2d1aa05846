package dev.pillion.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.BusMessage.SetsChanged;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.kube.ChangeSource;
import dev.pillion.kube.Changes;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WatchMeters;

import tools.jackson.databind.node.ObjectNode;

class WatchVerticleTest {
    private static final int SETS = 300;

    private final Vertx vertx = Vertx.vertx();
    private final Meters meters = new Meters();
    private final BlockingQueue<SetsChanged> published = new LinkedBlockingQueue<>();
    private final BlockingQueue<Enqueue> enqueued = new LinkedBlockingQueue<>();
    private final BlockingQueue<Health> health = new LinkedBlockingQueue<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final BlockingQueue<Long> refreshed = new LinkedBlockingQueue<>();
    private final BlockingQueue<Changes> started = new LinkedBlockingQueue<>();
    private String deployment = "";

    @BeforeEach
    void deploy() throws Exception {
        BusCodec.register(vertx.eventBus());
        vertx.eventBus().<SetsChanged>localConsumer(Addresses.SETS, m -> published.add(m.body()));
        vertx.eventBus().<BusMessage>localConsumer(Addresses.QUEUE, m -> enqueued.add((Enqueue) m.body()));
        vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> health.add(m.body()));
        WatchVerticle verticle = new WatchVerticle(new ChangeSource() {
            @Override
            public void start(Changes changes) {
                started.add(changes);
            }

            @Override
            public void refresh(long since) {
                refreshed.add(since);
            }

            @Override
            public void stop() {
                stopped.set(true);
            }
        }, new WatchVerticle.Shared(new Inboxes(_ -> true), new LatestSets(), new WatchMeters(meters, System::nanoTime)),
                WatchOptions.PILLION,
                Duration.ofSeconds(150), System::nanoTime);
        deployment = vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD)).await(20,
                TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        vertx.close();
        meters.close();
    }

    @Test
    void aBurstOfChangesIsPublishedInFewIndexesAndNothingIsLost() throws Exception {
        Changes changes = next(started);
        assertThat(next(health).ok()).isFalse();
        changes.synced();
        assertThat(next(published).index().sets()).isEmpty();
        assertThat(next(health).ok()).isTrue();

        for (int i = 0; i < SETS; i++) {
            changes.set(Optional.empty(), Optional.of(SidecarSet.of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"s" + i + "\"}}"))));
        }
        for (int i = 0; i < SETS; i++) {
            assertThat(next(enqueued).cause()).isEqualTo(Wakeup.SET_CREATED);
        }

        int indexes = 1;
        while (next(published).index().sets().size() < SETS) {
            indexes++;
        }
        assertThat(indexes).as("indexes published for %d changes in a burst", SETS).isLessThan(SETS / 4);
    }

    @Test
    void aRefreshIsAnsweredWhenTheIndexShowsIt() throws Exception {
        BlockingQueue<BusMessage> answers = new LinkedBlockingQueue<>();
        vertx.eventBus().<BusMessage>localConsumer(Addresses.SHARD, m -> answers.add(m.body()));
        Changes changes = next(started);
        changes.synced();
        next(published);
        changes.set(Optional.empty(), Optional.of(SidecarSet.of((ObjectNode) Json.read("{\"metadata\":{\"name\":\"late\"}}"))));

        vertx.eventBus().send(Addresses.WATCH, new BusMessage.Refresh(5, 77));

        assertThat(next(answers)).isEqualTo(new BusMessage.Refreshed(5));
        assertThat(refreshed).containsExactly(77L);
        assertThat(next(published).index().sets()).hasSize(1);
    }

    @Test
    void stoppingStopsTheWatches() throws Exception {
        vertx.undeploy(deployment).await(20, TimeUnit.SECONDS);

        assertThat(stopped).isTrue();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return Objects.requireNonNull(queue.poll(20, TimeUnit.SECONDS), "nothing came within 20 s");
    }
}

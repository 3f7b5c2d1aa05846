package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.vertx.core.Future;
import io.vertx.core.Vertx;

import dev.pillion.api.SetKey;
import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusCodec;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Cause;
import dev.pillion.bus.BusMessage.Done;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.bus.BusMessage.Reconcile;
import dev.pillion.bus.BusMessage.WorkerReady;
import dev.pillion.bus.HealthParts;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.QueueMeters;

class QueueVerticleTest {
    /** What a worker's consumer saw. */
    private record Seen(int worker, Reconcile message, long nanos) {
    }

    private final Vertx vertx = Vertx.vertx();
    private final Meters meters = new Meters();
    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final BlockingQueue<Health> health = new LinkedBlockingQueue<>();
    private String deployment = "";

    @BeforeEach
    void deploy() throws Exception {
        BusCodec.register(vertx.eventBus());
        vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> health.add(m.body()));
        deployment = vertx.deployVerticle(new QueueVerticle(RateLimiter.Limits.DEFAULT, Duration.ofSeconds(60),
                new QueueMeters(meters, System::nanoTime), System::nanoTime)).await(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close();
        meters.close();
    }

    @Test
    void givesEachKeyToOneIdleWorkerAndComesBackAfterDone() throws Exception {
        worker(0);
        worker(1);
        enqueue("a", Duration.ZERO);
        enqueue("b", Duration.ZERO);
        Seen a = next();
        Seen b = next();
        assertThat(a.worker).isNotEqualTo(b.worker);

        enqueue("a", Duration.ZERO);
        enqueue("c", Duration.ZERO);
        done(b);
        Seen c = next();
        assertThat(c.message.set().name()).isEqualTo("c");
        assertThat(c.worker).isEqualTo(b.worker);
        done(a);

        assertThat(next().message.set().name()).isEqualTo("a");
    }

    @Test
    void holdsAKeyUntilItsTimeAndNoLonger() throws Exception {
        worker(0);
        long start = System.nanoTime();
        enqueue("late", Duration.ofMillis(80));
        enqueue("soon", Duration.ofMillis(30));

        Seen soon = next();
        assertThat(soon.message.set().name()).isEqualTo("soon");
        assertThat(soon.nanos - start).isGreaterThanOrEqualTo(Duration.ofMillis(30).toNanos());
        done(soon);
        assertThat(next().nanos - start).isGreaterThanOrEqualTo(Duration.ofMillis(80).toNanos());
    }

    @Test
    void aFailedKeyComesBackWithItsAttempt() throws Exception {
        worker(0);
        enqueue("a", Duration.ZERO);
        Seen first = next();
        send(new Done(first.message.set(), first.message.ticket(), new Outcome.Failed("io")));

        assertThat(next().message.attempt()).isEqualTo(1);
    }

    @Test
    void aDeadWorkerIsToldAndItsKeyGoesOn() throws Exception {
        send(new WorkerReady(7));
        enqueue("a", Duration.ZERO);
        assertThat(complaint()).isEqualTo(new Health(HealthParts.WORKERS, false, "dead workers: [7]"));

        worker(0);
        assertThat(next().message.set().name()).isEqualTo("a");
    }

    @Test
    void stoppingWaitsForDoneAndHandsNothingOut() throws Exception {
        worker(0);
        enqueue("a", Duration.ZERO);
        Seen a = next();
        enqueue("b", Duration.ZERO);
        Future<Void> stopped = vertx.undeploy(deployment);
        assertThat(complaint()).isEqualTo(new Health(HealthParts.QUEUE, false, "draining"));
        assertThat(stopped.isComplete()).isFalse();

        done(a);
        stopped.await(20, TimeUnit.SECONDS);

        assertThat(seen).as("b was not handed out").isEmpty();
    }

    private Health complaint() throws InterruptedException {
        while (true) {
            Health told = java.util.Objects.requireNonNull(health.poll(20, TimeUnit.SECONDS), "no complaint within 20 s");
            if (!told.ok()) {
                return told;
            }
        }
    }

    private void worker(int number) {
        vertx.eventBus().<Reconcile>localConsumer(Addresses.worker(number),
                m -> seen.add(new Seen(number, m.body(), System.nanoTime())));
        send(new WorkerReady(number));
    }

    private void enqueue(String set, Duration after) {
        send(new Enqueue(new SetKey(set), after, Priority.HIGH, new Cause("test")));
    }

    private void done(Seen a) {
        send(new Done(a.message.set(), a.message.ticket(), new Outcome.Settled()));
    }

    private void send(BusMessage message) {
        vertx.eventBus().send(Addresses.QUEUE, message);
    }

    private Seen next() throws InterruptedException {
        Seen one = seen.poll(20, TimeUnit.SECONDS);
        assertThat(one).as("a message to a worker within 20 s").isNotNull();
        return java.util.Objects.requireNonNull(one);
    }
}

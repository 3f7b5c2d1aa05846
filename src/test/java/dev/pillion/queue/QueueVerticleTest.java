package dev.pillion.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

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
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.bus.BusMessage.WorkerReady;
import dev.pillion.bus.HealthParts;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Slots;
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
    private final Ownership ownership = new Ownership(new Slots(2), System::nanoTime);
    private String deployment = "";

    @BeforeEach
    void deploy() throws Exception {
        BusCodec.register(vertx.eventBus());
        ownership.begin(0, 1, Long.MAX_VALUE);
        ownership.begin(1, 1, Long.MAX_VALUE);
        vertx.eventBus().<Health>localConsumer(Addresses.HEALTH, m -> health.add(m.body()));
        deployment = vertx.deployVerticle(new QueueVerticle(RateLimiter.Limits.DEFAULT, Duration.ofSeconds(60),
                new QueueMeters(meters, System::nanoTime), System::nanoTime, ownership)).await(20, TimeUnit.SECONDS);
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

    @Test
    void ofALostSlotNothingIsHandedOutAndItsEndIsTold() throws Exception {
        BlockingQueue<BusMessage> toShard = new LinkedBlockingQueue<>();
        vertx.eventBus().<BusMessage>localConsumer(Addresses.SHARD, m -> toShard.add(m.body()));
        send(new SlotsChanged(1, Set.of(0, 1)));
        worker(0);
        String[] names = namesOfSlot(1);
        enqueue(names[0], Duration.ZERO);
        Seen inWork = next();
        enqueue(names[0], Duration.ZERO);
        enqueue(names[1], Duration.ZERO);
        enqueue(names[2], Duration.ofMillis(10));

        ownership.end(1);
        send(new SlotsChanged(2, Set.of(0)));
        enqueue(names[1], Duration.ZERO);
        String other = namesOfSlot(0)[0];
        enqueue(other, Duration.ZERO);
        assertThat(toShard).as("not while one is in work").isEmpty();
        send(new Done(inWork.message.set(), inWork.message.ticket(), new Outcome.Failed("conflict")));

        assertThat(toShard.poll(20, TimeUnit.SECONDS)).isEqualTo(new SlotDrained(1, 2));
        Seen last = next();
        assertThat(last.message.set().name()).isEqualTo(other);
        done(last);
        ownership.begin(1, 2, Long.MAX_VALUE);
        send(new SlotsChanged(3, Set.of(0, 1)));
        enqueue(names[2], Duration.ZERO);
        assertThat(next().message.set().name()).as("what waited before the loss is forgotten").isEqualTo(names[2]);
    }

    private String[] namesOfSlot(int slot) {
        return IntStream.range(0, 100).mapToObj(i -> "set-" + i).filter(n -> ownership.slots().of(new SetKey(n)) == slot).limit(3)
                .toArray(String[]::new);
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

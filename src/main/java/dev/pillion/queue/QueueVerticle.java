package dev.pillion.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.HealthParts;
import dev.pillion.bus.Ownership;
import dev.pillion.metrics.QueueMeters;
import dev.pillion.queue.Dispatcher.Assignment;

/**
 * The work queue on the bus: one event loop, one timer. Stopping it drains: nothing more is handed out, and the stop ends when the
 * last worker has said Done. Deploy it before the workers and the watch; undeploy it after the watch and before the workers.
 */
public final class QueueVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(QueueVerticle.class);
    private static final Duration BEAT = Duration.ofSeconds(5);
    private static final long NO_TIMER = -1;

    private final Dispatcher dispatcher;
    private final QueueMeters meters;
    private final LongSupplier nanos;
    private final Duration stuckAfter;
    private final Promise<Void> drained = Promise.promise();
    private long timer = NO_TIMER;
    private long timerAt;
    private long beatAt;
    private boolean stopping;

    /**
     * @param stuckAfter setting queue.stuck-after
     * @param ownership only sets of owned slots are taken in
     */
    public QueueVerticle(RateLimiter.Limits limits, Duration stuckAfter, QueueMeters meters, LongSupplier nanos, Ownership ownership) {
        this.dispatcher = new Dispatcher(new WorkQueue<>(nanos, new RateLimiter<>(limits, nanos), ownership::accepts), meters, stuckAfter,
                new SlotDrains(ownership.slots()));
        this.meters = meters;
        this.nanos = nanos;
        this.stuckAfter = stuckAfter;
    }

    @Override
    public Future<?> start() {
        beat();
        vertx.eventBus().<BusMessage>localConsumer(Addresses.QUEUE, this::take);
        settle();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        stopping = true;
        dispatcher.shutDown();
        beat();
        settle();
        return drained.future();
    }

    private void take(Message<BusMessage> message) {
        switch (message.body()) {
            case BusMessage.Enqueue enqueue -> dispatcher.enqueue(enqueue);
            case BusMessage.Done done -> done(done);
            case BusMessage.WorkerReady ready -> dispatcher.ready(ready.worker());
            case BusMessage.WorkerGone gone -> dispatcher.gone(gone.worker());
            case BusMessage.SlotsChanged changed -> dispatcher.slotsChanged(changed);
            case BusMessage.Reconcile _,BusMessage.SlotDrained _,BusMessage.Refresh _,BusMessage.Refreshed _,BusMessage.SetsChanged _,BusMessage.CertChanged _,BusMessage.Health _ ->
                LOG.atWarn().addKeyValue("message", message.body().getClass().getSimpleName()).log("Message is not for the queue");
        }
        settle();
    }

    private void done(BusMessage.Done done) {
        if (!dispatcher.done(done)) {
            LOG.atWarn().addKeyValue("sidecarSet", done.set()).log("Worker reported a key that it no longer holds");
        }
    }

    /** Sends what can be sent, tells the meters, and sets the one timer. Ends every handler. */
    private void settle() {
        for (Optional<Assignment> next = dispatcher.next(); next.isPresent(); next = dispatcher.next()) {
            send(next.get());
        }
        dispatcher.drainedSlots().forEach(slot -> vertx.eventBus().send(Addresses.SHARD, slot));
        meters.now(dispatcher.state());
        if (stopping && dispatcher.isDrained()) {
            drained.tryComplete();
        }
        wakeIn(Math.min(beatAt - nanos.getAsLong(), dispatcher.nextDue().orElse(Long.MAX_VALUE)));
    }

    /** A plain send to an address without consumer is silent; the producer's write is not. */
    private void send(Assignment assignment) {
        vertx.eventBus().<BusMessage>sender(Addresses.worker(assignment.worker())).write(assignment.message()).onFailure(cause -> {
            LOG.atError().addKeyValue("worker", assignment.worker()).addKeyValue("sidecarSet", assignment.message().set()).setCause(cause)
                    .log("Worker does not take messages any more");
            dispatcher.lost(assignment);
            health(HealthParts.WORKERS, false, "dead workers: " + dispatcher.deadWorkers());
            settle();
        });
    }

    private void wakeIn(long wait) {
        long at = nanos.getAsLong() + wait;
        if (timer != NO_TIMER && timerAt - at <= 0) {
            return;
        }
        if (timer != NO_TIMER) {
            vertx.cancelTimer(timer);
        }
        timerAt = at;
        timer = vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait + 999_999)), _ -> {
            timer = NO_TIMER;
            if (beatAt - nanos.getAsLong() <= 0) {
                beat();
            }
            settle();
        });
    }

    /** Sign of life, and the watchdog: a key that is too long in work is told, never freed. */
    private void beat() {
        beatAt = nanos.getAsLong() + BEAT.toNanos();
        dispatcher.newlyStuck()
                .forEach(s -> LOG.atWarn().addKeyValue("sidecarSet", s.key()).addKeyValue("durationMs", s.inWork().toMillis())
                        .log("Reconcile takes too long"));
        int stuck = dispatcher.stuckKeys();
        health(HealthParts.STUCK, stuck == 0, stuck + " sets in work for more than " + stuckAfter.toSeconds() + " s");
        health(HealthParts.QUEUE, !stopping, stopping ? "draining" : "");
        if (dispatcher.deadWorkers().isEmpty()) {
            health(HealthParts.WORKERS, true, "");
        }
    }

    private void health(String part, boolean ok, String reason) {
        vertx.eventBus().publish(Addresses.HEALTH, new BusMessage.Health(part, ok, reason));
    }
}

package dev.pillion.reconcile;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage.Done;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Reconcile;
import dev.pillion.bus.BusMessage.WorkerGone;
import dev.pillion.bus.BusMessage.WorkerReady;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.metrics.ReconcileMeters.Result;

/**
 * One reconcile worker with an address of its own. Deploy it as a virtual-thread verticle, after the queue; undeploy it after the queue
 * has drained. Whatever a reconcile throws ends in Failed, so one set never ends a worker.
 */
public final class WorkerVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerVerticle.class);

    private final int number;
    private final Reconciler reconciler;
    private final ReconcileMeters meters;
    private final LongSupplier nanos;

    /** @param number 0 for the first worker */
    public WorkerVerticle(int number, Reconciler reconciler, ReconcileMeters meters, LongSupplier nanos) {
        this.number = number;
        this.reconciler = reconciler;
        this.meters = meters;
        this.nanos = nanos;
    }

    @Override
    public Future<?> start() {
        vertx.eventBus().<Reconcile>localConsumer(Addresses.worker(number), message -> work(message.body()));
        vertx.eventBus().send(Addresses.QUEUE, new WorkerReady(number));
        return Future.succeededFuture();
    }

    /** Comes after the reconcile in hand: a worker never awaits, so its context is busy until then. */
    @Override
    public Future<?> stop() {
        vertx.eventBus().send(Addresses.QUEUE, new WorkerGone(number));
        return Future.succeededFuture();
    }

    private void work(Reconcile message) {
        long start = nanos.getAsLong();
        meters.started();
        Outcome outcome = reconcile(message);
        if (outcome instanceof Outcome.Lost) {
            LOG.atInfo().addKeyValue("sidecarSet", message.set()).log("Reconcile ended early: the set's slot is no longer ours");
        }
        meters.ended(result(outcome), Duration.ofNanos(nanos.getAsLong() - start));
        vertx.eventBus().send(Addresses.QUEUE, new Done(message.set(), message.ticket(), outcome));
    }

    private Outcome reconcile(Reconcile message) {
        try {
            return reconciler.reconcile(message.set());
        } catch (Throwable e) {
            // Also errors such as a stack overflow on odd input: the worker and all other sets must go on.
            LOG.atError().setCause(e).addKeyValue("sidecarSet", message.set()).addKeyValue("attempt", message.attempt())
                    .log("Reconcile broke off");
            return new Outcome.Failed("fault");
        }
    }

    private static Result result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Settled _,Outcome.Gone _ -> Result.SUCCESS;
            // Nothing is amiss and nothing is done: the next owner goes on.
            case Outcome.Again _,Outcome.Lost _ -> Result.REQUEUE_AFTER;
            case Outcome.Failed _ -> Result.ERROR;
        };
    }
}

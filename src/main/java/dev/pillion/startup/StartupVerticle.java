package dev.pillion.startup;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;

import dev.pillion.api.PodKey;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Priority;
import dev.pillion.kube.ChangeSource;
import dev.pillion.metrics.StartupMeters;
import dev.pillion.queue.RateLimiter;
import dev.pillion.queue.WorkQueue;
import dev.pillion.queue.WorkQueue.Taken;

/**
 * Serves Pods that start: a queue of its own on an event loop, each Pod in work on a virtual thread of its own, a bounded number at a time.
 * An instance that may not write keeps the Pods in mind, and looks at them when it may: so does a new leader at all of them. Deploy it
 * before the watch, which gets {@link #tap}; undeploying waits for the Pods in work.
 */
public final class StartupVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(StartupVerticle.class);
    private static final long TICK_MILLIS = 1_000;

    private final StartupOptions options;
    private final Predicate<PodKey> mayWrite;
    private final StartupMeters meters;
    private final OpenPods open;
    private final PodStarter starter;
    private final WorkQueue<PodKey> queue;
    private final Set<PodKey> foreign = new HashSet<>();
    private final AtomicReference<int[]> sizes = new AtomicReference<>(new int[2]);
    private final Promise<Void> drained = Promise.promise();
    private OptionalLong timer = OptionalLong.empty();
    private boolean stopping;

    /**
     * @param mayWrite whether this instance is the one to act for a Pod now; asked before each look and each write, on any thread, often
     * @param nanos the monotonic clock in nanoseconds
     */
    public StartupVerticle(StartupPorts ports, StartupOptions options, Predicate<PodKey> mayWrite, StartupMeters meters, LongSupplier nanos,
            InstantSource clock) {
        this.options = options;
        this.mayWrite = mayWrite;
        this.meters = meters;
        this.open = new OpenPods(options, ports.pods());
        this.starter = new PodStarter(ports, open, options, new PodStarter.Times(nanos, clock), new PodStarter.Rights(mayWrite, meters));
        this.queue = new WorkQueue<>(nanos, new RateLimiter<>(options.limits(), nanos));
        meters.pods(() -> open.keys().size(), () -> sizes.get()[0], () -> sizes.get()[1]);
    }

    /** The watches to start instead of the given ones, so that this verticle hears of Pods. Start them when this is deployed. */
    public ChangeSource tap(ChangeSource source) {
        return new PodTap(source, open, pod -> context.runOnContext(_ -> {
            queue.add(pod, Duration.ZERO, Priority.HIGH);
            settle();
        }));
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(TICK_MILLIS, _ -> {
            lookAtNewOnes();
            settle();
        });
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        stopping = true;
        queue.shutDown();
        settle();
        return drained.future();
    }

    /** Pods that this instance was not responsible for a moment ago, and is now. */
    private void lookAtNewOnes() {
        foreign.retainAll(open.keys());
        for (PodKey pod : open.keys()) {
            if (!mayWrite.test(pod)) {
                foreign.add(pod);
            } else if (foreign.remove(pod)) {
                queue.add(pod, Duration.ZERO, Priority.LOW);
            }
        }
    }

    /** Starts what may start, and sets the one timer. Ends every handler. */
    private void settle() {
        while (queue.inWork() < options.parallel()) {
            Optional<Taken<PodKey>> next = queue.take();
            if (next.isEmpty()) {
                break;
            }
            work(next.get());
        }
        sizes.set(new int[]{queue.depth(), queue.heldKeys()});
        if (stopping && queue.isDrained()) {
            drained.tryComplete();
        }
        timer.ifPresent(vertx::cancelTimer);
        OptionalLong due = queue.inWork() < options.parallel() ? queue.nextDue() : OptionalLong.empty();
        timer = due.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(due.getAsLong() + 999_999)), _ -> settle()));
    }

    private void work(Taken<PodKey> taken) {
        if (!mayWrite.test(taken.key())) {
            foreign.add(taken.key());
            queue.done(taken.key(), taken.ticket(), new Outcome.Settled());
            return;
        }
        Thread.ofVirtual().name("pod-starter").start(() -> {
            Outcome outcome = look(taken.key());
            context.runOnContext(_ -> {
                queue.done(taken.key(), taken.ticket(), outcome);
                settle();
            });
        });
    }

    private Outcome look(PodKey pod) {
        try {
            return starter.look(pod);
        } catch (Throwable e) {
            // Whatever it is, the Pod must not be lost and the others must go on.
            meters.failed("fault");
            LOG.atError().setCause(e).addKeyValue("pod", pod).log("Look at a starting Pod broke off");
            return new Outcome.Failed("fault");
        }
    }
}

package dev.pillion.watch;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Health;
import dev.pillion.bus.BusMessage.Refresh;
import dev.pillion.bus.BusMessage.Refreshed;
import dev.pillion.bus.HealthParts;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.kube.ChangeSource;
import dev.pillion.metrics.WatchMeters;

/**
 * Starts the watches and joins them to the bus; publishes at most one index per 50 ms. Deploy it as a virtual-thread verticle (compiling
 * an index is work for no event loop), after the queue, the workers and whoever wants the first SetsChanged.
 */
public final class WatchVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WatchVerticle.class);
    private static final long PUBLISH_EVERY = Duration.ofMillis(50).toNanos();
    private static final Duration BEAT = Duration.ofSeconds(5);

    /** What everybody shares with the watch. */
    public record Shared(Inboxes inboxes, LatestSets latest, WatchMeters meters) {
    }

    private final ChangeSource source;
    private final Shared shared;
    private final WatchOptions options;
    private final Silence silence;
    private final LongSupplier nanos;
    private final AtomicBoolean complete = new AtomicBoolean();

    /** @param silenceLimit setting health.watch-silence */
    public WatchVerticle(ChangeSource source, Shared shared, WatchOptions options, Duration silenceLimit, LongSupplier nanos) {
        this.source = source;
        this.shared = shared;
        this.options = options;
        this.silence = new Silence(silenceLimit, nanos);
        this.nanos = nanos;
    }

    @Override
    public Future<?> start() {
        BusOutlet outlet = new BusOutlet();
        ChangeFeed feed = new ChangeFeed(outlet, shared.inboxes, shared.latest, shared.meters, silence, options);
        outlet.flush = feed::flush;
        beat();
        return blocking(() -> source.start(feed))
                .map(_ -> vertx.eventBus().<Refresh>localConsumer(Addresses.WATCH, m -> refresh(m.body(), outlet)));
    }

    /** Brings the views up to date, then the index that is made of them. */
    private void refresh(Refresh wanted, BusOutlet outlet) {
        vertx.executeBlocking(() -> {
            source.refresh(wanted.since());
            return true;
        }, false).onSuccess(_ -> {
            outlet.flushNow();
            vertx.eventBus().send(Addresses.SHARD, new Refreshed(wanted.epoch()));
        }).onFailure(e -> LOG.atInfo().addKeyValue("reason", e.toString()).log("The view was not brought up to date"));
    }

    @Override
    public Future<?> stop() {
        return blocking(source::stop);
    }

    private Future<?> blocking(Runnable step) {
        Callable<Boolean> call = () -> {
            step.run();
            return true;
        };
        return vertx.executeBlocking(call);
    }

    private void beat() {
        health();
        vertx.setTimer(silence.untilNext(BEAT).toMillis(), _ -> beat());
    }

    private void health() {
        Optional<String> complaint = complete.get() ? silence.complaint() : Optional.of("first lists are not complete");
        vertx.eventBus().publish(Addresses.HEALTH, new Health(HealthParts.WATCH, complaint.isEmpty(), complaint.orElse("")));
    }

    /** Sends from any thread; flushes on the verticle's own context, first at once, then at most every 50 ms. */
    private final class BusOutlet implements ChangeFeed.Outlet {
        private final AtomicBoolean asked = new AtomicBoolean();
        private Runnable flush = () -> {
        };
        private long lastFlush = nanos.getAsLong() - PUBLISH_EVERY;

        @Override
        public void send(BusMessage.Enqueue message) {
            vertx.eventBus().send(Addresses.QUEUE, message);
        }

        @Override
        public void publish(BusMessage.SetsChanged message) {
            vertx.eventBus().publish(Addresses.SETS, message);
        }

        @Override
        public void flushSoon() {
            if (asked.compareAndSet(false, true)) {
                context.runOnContext(_ -> flushWhenDue());
            }
        }

        private void flushWhenDue() {
            long wait = lastFlush + PUBLISH_EVERY - nanos.getAsLong();
            if (wait <= 0) {
                flushNow();
            } else {
                vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(wait) + 1, _ -> flushNow());
            }
        }

        private void flushNow() {
            lastFlush = nanos.getAsLong();
            asked.set(false);
            flush.run();
        }

        @Override
        public void heardAgain() {
            health();
        }

        @Override
        public void firstListsComplete() {
            complete.set(true);
            health();
        }
    }
}

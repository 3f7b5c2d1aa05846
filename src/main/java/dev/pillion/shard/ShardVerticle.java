package dev.pillion.shard;

import java.time.InstantSource;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;

import dev.pillion.bus.Addresses;
import dev.pillion.bus.BusMessage;
import dev.pillion.bus.BusMessage.Refresh;
import dev.pillion.bus.BusMessage.ToShard;
import dev.pillion.kube.Leases;
import dev.pillion.shard.Agreement.Finding;

/**
 * Drives the slots' Leases: one request per slot at a time, one timer per slot. An event-loop verticle; requests run on threads of their
 * own, so that nothing else in the process can delay a renewal. Deploy it after the queue and before the watch: its start ends when the
 * Leases were read once, so that the first lists are younger than that. Undeploy it first of all: it gives away what it has, and its stop
 * ends when the Leases are cleared.
 */
public final class ShardVerticle extends VerticleBase {
    private static final int MOST_THREADS = 8;
    private static final long WATCH_PAUSE_MILLIS = 50;

    private final ShardOptions options;
    private final LongSupplier nanos;
    private final int slots;
    private final LeaseCalls calls;
    private final Agreement agreement;
    private final SlotBook book;
    private final LeaseTroubles troubles = new LeaseTroubles(health -> vertx.eventBus().publish(Addresses.HEALTH, health));
    private final Set<Integer> busy = new HashSet<>();
    private final Promise<Void> looked = Promise.promise();
    private final Promise<Void> cleared = Promise.promise();
    private Optional<WorkerExecutor> threads = Optional.empty();
    private long timer = -1;
    private int answers;
    private volatile boolean differs;
    private boolean stopping;

    public ShardVerticle(ShardOptions options, Leases leases, ShardShared shared, LongSupplier nanos, InstantSource wall) {
        this.options = options;
        this.nanos = nanos;
        this.slots = shared.ownership().slots().count();
        this.calls = new LeaseCalls(leases, nanos, shared.meters());
        this.agreement = new Agreement(leases, shared.ownership().slots(), nanos);
        this.book = SlotBook.of(options, shared, new Stamps(wall),
                new SlotBook.Outlet(m -> vertx.eventBus().send(Addresses.QUEUE, m), this::toWatch));
        shared.meters().waiting(() -> differs ? 1 : 0);
    }

    @Override
    public Future<?> start() {
        threads = Optional.of(vertx.createSharedWorkerExecutor("pillion-leases", Math.min(slots, MOST_THREADS)));
        vertx.eventBus().<ToShard>localConsumer(Addresses.SHARD, message -> {
            switch (message.body()) {
                case BusMessage.SlotDrained drained -> book.drained(drained, nanos.getAsLong());
                case BusMessage.Refreshed refreshed -> book.refreshed(refreshed.epoch(), nanos.getAsLong());
            }
            advance();
        });
        look();
        return looked.future();
    }

    @Override
    public Future<?> stop() {
        stopping = true;
        book.standAside(nanos.getAsLong());
        advance();
        return cleared.future();
    }

    /** Makes sure, again and again, that everybody means the same slots. */
    private void look() {
        blocking(agreement::look).onSuccess(finding -> {
            if (stopping) {
                return;
            }
            differs = finding instanceof Finding.Differs;
            book.heed(finding, nanos.getAsLong());
            troubles.take(Agreement.LEASE, agreement.trouble(finding));
            if (!(finding instanceof Finding.Agreed)) {
                looked.tryComplete();
            }
            vertx.setTimer(Agreement.pause(finding, options.times()).toMillis(), _ -> look());
            advance();
        });
    }

    private <T> Future<T> blocking(Callable<T> call) {
        return threads.orElseThrow().executeBlocking(call, false).map(Objects::requireNonNull);
    }

    /** Does what is due for each slot, and sets the one timer. Ends every handler. */
    private void advance() {
        long wakeAt = nanos.getAsLong() + TimeUnit.HOURS.toNanos(1);
        for (int slot = 0; slot < slots; slot++) {
            long next = advance(slot, nanos.getAsLong()).orElse(wakeAt);
            wakeAt = next - wakeAt < 0 ? next : wakeAt;
        }
        vertx.cancelTimer(timer);
        timer = vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wakeAt - nanos.getAsLong() + 999_999)), _ -> advance());
        if (stopping && busy.isEmpty() && book.isResting()) {
            cleared.tryComplete();
        }
    }

    /** Returns when to come back, whatever is under way. */
    private OptionalLong advance(int slot, long now) {
        OptionalLong expiry = book.tick(slot, now);
        if (busy.contains(slot)) {
            return expiry;
        }
        return switch (book.next(slot, now)) {
            case Order.Rest(long until) -> OptionalLong.of(until);
            case Order.Request request -> {
                send(slot, request);
                yield expiry;
            }
        };
    }

    private void send(int slot, Order.Request request) {
        busy.add(slot);
        blocking(() -> calls.send(book.name(slot), request)).onSuccess(sent -> {
            busy.remove(slot);
            troubles.take(book.name(slot), sent.answer());
            book.take(slot, request, sent.answer(), sent.at(), nanos.getAsLong());
            advance();
            if (++answers >= slots) {
                looked.tryComplete();
            }
        });
    }

    /** The watch may not be deployed yet. */
    private void toWatch(Refresh message) {
        vertx.eventBus().<Refresh>sender(Addresses.WATCH).write(message)
                .onFailure(_ -> vertx.setTimer(WATCH_PAUSE_MILLIS, _ -> toWatch(message)));
    }
}

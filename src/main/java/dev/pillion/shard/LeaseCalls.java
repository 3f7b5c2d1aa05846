package dev.pillion.shard;

import java.util.Locale;
import java.util.function.LongSupplier;

import dev.pillion.kube.KubeException;
import dev.pillion.kube.Leases;
import dev.pillion.metrics.ShardMeters;

/** Carries requests about Leases out, and says what is known of the outcome, whatever happens. Blocking. */
final class LeaseCalls {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_FAULT = 500;

    private final Leases leases;
    private final LongSupplier nanos;
    private final ShardMeters meters;

    /** An answer, and when its request was sent, by the monotonic clock. */
    record Sent(Answer answer, long at) {
    }

    LeaseCalls(Leases leases, LongSupplier nanos, ShardMeters meters) {
        this.leases = leases;
        this.nanos = nanos;
        this.meters = meters;
    }

    Sent send(String name, Order.Request request) {
        long at = nanos.getAsLong();
        Answer answer = carryOut(name, request);
        meters.request(word(request), word(answer));
        return new Sent(answer, at);
    }

    private static String word(Object named) {
        return named.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private Answer carryOut(String name, Order.Request request) {
        try {
            return switch (request) {
                case Order.Read _ -> leases.read(name).<Answer>map(Answer.Found::new).orElseGet(Answer.Absent::new);
                case Order.Create create -> new Answer.Stored(leases.create(name, create.spec()));
                case Order.Change change -> new Answer.Stored(leases.change(change.known(), change.spec()));
            };
        } catch (KubeException e) {
            return failure(request, e);
        } catch (RuntimeException | Error e) {
            // A slot whose request is never answered would never be renewed again.
            return new Answer.Unknown(String.valueOf(e));
        }
    }

    private static Answer failure(Order.Request request, KubeException e) {
        String reason = word(request) + " failed: " + e.code() + " " + e.getMessage();
        boolean changed = e.isConflict() || e.isAlreadyExists() || (e.isGone() && request instanceof Order.Change);
        if (changed) {
            return new Answer.Conflict();
        }
        boolean unclear = e.code() == 0 || e.code() == TOO_MANY_REQUESTS || e.code() >= SERVER_FAULT;
        return unclear ? new Answer.Unknown(reason) : new Answer.Refused(reason);
    }
}

package dev.pillion.bus;

import java.time.Duration;
import java.util.Set;

import dev.pillion.api.SetKey;
import dev.pillion.match.SetIndex;

/** Every message of the event bus: deeply immutable records, passed by reference (style.md, Messages). */
public sealed interface BusMessage {

    /** What the slots are told, on {@link Addresses#SHARD}. */
    sealed interface ToShard extends BusMessage {
    }

    /** Bands of the work queue; the low one is for first lists and newly owned slots. */
    enum Priority {
        LOW, HIGH
    }

    /** Why a set was enqueued, for logs and metrics. The word is stable. */
    record Cause(String word) {
    }

    record Enqueue(SetKey set, Duration after, Priority priority, Cause cause) implements BusMessage {
    }

    /** The end of one Reconcile. Only the current ticket frees the key. */
    record Done(SetKey set, long ticket, Outcome outcome) implements BusMessage {
    }

    record Reconcile(SetKey set, long ticket, int attempt) implements BusMessage {
    }

    /** A worker says on pillion.queue that it can take work on its own address. Sent once: Done implies idle. */
    record WorkerReady(int worker) implements BusMessage {
    }

    /** A worker that was told to stop has ended its work; what it still holds by the queue's books is free. */
    record WorkerGone(int worker) implements BusMessage {
    }

    /**
     * The slots whose sets are to be worked on from now on.
     *
     * @param epoch counts these messages
     */
    record SlotsChanged(long epoch, Set<Integer> owned) implements BusMessage {
        public SlotsChanged {
            owned = Set.copyOf(owned);
        }
    }

    /** No set of the slot is in work any more, which went with the SlotsChanged of this epoch. */
    record SlotDrained(int slot, long epoch) implements ToShard {
    }

    /**
     * Asks the watch for a view that rests on lists that began at this time or later.
     *
     * @param since nanoseconds of the process' monotonic clock
     */
    record Refresh(long epoch, long since) implements BusMessage {
    }

    /** The view is as fresh as it was asked for with this epoch. */
    record Refreshed(long epoch) implements ToShard {
    }

    record SetsChanged(SetIndex index) implements BusMessage {
    }

    /** New serving certificate and key, as PEM. */
    record CertChanged(String certificatePem, String keyPem) implements BusMessage {
        @Override
        public String toString() {
            return "CertChanged";
        }
    }

    record Health(String part, boolean ok, String reason) implements BusMessage {
    }

    /** How a reconcile ended (events.md 4, table of outcomes). */
    sealed interface Outcome {
        /** Nothing left to do until the next event. */
        record Settled() implements Outcome {
        }

        /** Run again after this time. */
        record Again(Duration after) implements Outcome {
        }

        /** Run again with back-off; kind is a stable word. */
        record Failed(String kind) implements Outcome {
            /** The kind of failure that ends by itself: the API server does not answer, or says try later. */
            public static final String UNAVAILABLE = "unavailable";

            public boolean isUnavailable() {
                return kind.equals(UNAVAILABLE);
            }
        }

        /** The set does not exist any more: forget everything about it. */
        record Gone() implements Outcome {
        }

        /** A write was not started because the set's slot is no longer ours; its next owner goes on. */
        record Lost() implements Outcome {
        }
    }
}

package dev.pillion.admission;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what requests may take, over all event loops: memory for their bodies from the head on, and their number once the body is there.
 * A review that needs nothing live is answered at once, so only waiting ones fill the places, and no slow client does. Safe for all threads.
 */
public final class Gate {
    /** What a request takes beside its body, and before it. */
    private static final int FLOOR = 32 * 1024;
    /** Room for as many bodies of this size as there are places; most Pods are a tenth of it, so a burst finds room for more. */
    private static final int USUAL_BODY = 256 * 1024;

    private final int limit;
    private final long room;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong taken = new AtomicLong();

    /**
     * Takes the limits.
     *
     * @param limit setting admission.in-flight
     * @param bodyLimit setting admission.body-limit in bytes; one such body always finds room when nothing else is there
     */
    public Gate(int limit, int bodyLimit) {
        this.limit = limit;
        this.room = bodyLimit + FLOOR + (long) limit * USUAL_BODY;
    }

    /** A request on its way in. For one thread. */
    final class Visit {
        private long bytes;
        private boolean inside;

        private Visit() {
        }

        /** Whether there is room for a body of so many bytes in all; false: end the visit. */
        boolean hasRoom(long body) {
            long more = Math.max(FLOOR, body) - bytes;
            if (more <= 0) {
                return true;
            }
            bytes += more;
            return taken.addAndGet(more) <= room;
        }

        /** Takes a place for a review whose body is there; false: all are taken, end the visit. */
        boolean enter() {
            inside = Gate.this.inside.incrementAndGet() <= limit;
            if (!inside) {
                Gate.this.inside.decrementAndGet();
            }
            return inside;
        }

        /** Gives back what was taken. Once. */
        void end() {
            taken.addAndGet(-bytes);
            if (inside) {
                Gate.this.inside.decrementAndGet();
            }
        }
    }

    /** To be ended, whatever comes of it. */
    Visit visit() {
        return new Visit();
    }

    /** Does not count a review while it only waits for something that needs no work of ours. */
    <T> CompletionStage<T> aside(CompletionStage<T> wait) {
        inside.decrementAndGet();
        return wait.whenComplete((_, _) -> inside.incrementAndGet());
    }

    /** Reviews in work now. */
    public int inside() {
        return inside.get();
    }

    /** Bytes taken by requests now. */
    long taken() {
        return taken.get();
    }
}

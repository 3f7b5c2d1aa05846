package dev.pillion.shard;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.pillion.kube.LeaseRecord;
import dev.pillion.kube.LeaseSpec;
import dev.pillion.shard.Order.Purpose;
import dev.pillion.shard.SlotState.Basis;
import dev.pillion.shard.SlotState.Claim;
import dev.pillion.shard.SlotState.Holding;
import dev.pillion.shard.SlotState.Leaving;
import dev.pillion.shard.SlotState.Lost;
import dev.pillion.shard.SlotState.Releasing;
import dev.pillion.shard.SlotState.Resting;
import dev.pillion.shard.SlotState.Sight;
import dev.pillion.shard.SlotState.Watching;

/**
 * One slot's Lease, as a state machine without clock or I/O (style.md, sharding contract; FR-65, FR-66).
 * <ol>
 * <li>A Lease of somebody else is read again and again. What counts is how long its record has stood still while we looked, never the
 * times in it.
 * <li>It is taken at once when its holder gave it up in order, or when the record is the very one we wrote last; else after it stood
 * still for its own duration. A Lease that was cleared by hand may still have an owner: the same wait. So may one that is missing: an
 * empty one is put in its place, whose standing still can be proved. Only the process that knows that there never was an owner (it
 * founded the installation) creates a missing one for itself.
 * <li>A term begins when the write has succeeded, and lasts for the deadline, counted from when that write was sent. Each renewal
 * extends it the same way. A write without answer extends nothing.
 * <li>Every change carries uid and resourceVersion, so a late or repeated one cannot overwrite what came between.
 * <li>A term ends at its deadline, when another holder is read, or when it is given away. The slot is taken up again only after the work
 * of the term is done; one that was given away is renewed until then, and then cleared.
 * </ol>
 * All times are passed in, as nanoseconds of one monotonic clock. Not safe for threads; one request at a time.
 */
final class SlotLease {
    /** Annotation of a Lease whose holder gave it up in order: who that was. */
    static final String RELEASED_BY = LeaseSpec.MARK_PREFIX + "released-by";
    private static final Duration LONG = Duration.ofHours(1);

    private enum Wish {
        CONTEND, REST
    }

    private final String name;
    private final String identity;
    private final LeaseTimes times;
    private final Stamps stamps;
    private Wish wish = Wish.REST;
    private SlotState state = new Resting();
    /** See {@link #contend}; empty once there was a Lease. */
    private OptionalLong founded = OptionalLong.empty();
    private long term;
    /** Own acquireTime of the present or last claim. */
    private String acquired = "";
    /** See {@link Turn.Gained}; of the take that is under way. */
    private long fresh;
    private Duration lastSeenDuration = Duration.ZERO;

    /** @param identity unique for this start of this process: a restarted one must not inherit */
    SlotLease(String name, String identity, LeaseTimes times, Stamps stamps) {
        this.name = name;
        this.identity = identity;
        this.times = times;
        this.stamps = stamps;
    }

    String name() {
        return name;
    }

    SlotState state() {
        return state;
    }

    /** The Lease while it is ours, as far as it is known. */
    Optional<LeaseRecord> record() {
        return switch (state) {
            case Holding held -> held.lease();
            case Leaving(Holding held) -> held.lease();
            case Releasing(Holding held) -> held.lease();
            case Resting _,Watching _,Lost _ -> Optional.empty();
        };
    }

    /** Nobody's, or somebody else's, and not striven for. */
    boolean isResting() {
        return state instanceof Resting;
    }

    /**
     * Begins to strive for the slot.
     *
     * @param founding when the installation was founded by this process: before that nobody ever wrote, and for the time of the deadline
     *        nobody else can own anything. Empty when this process joined
     */
    void contend(OptionalLong founding, long now) {
        wish = Wish.CONTEND;
        if (state instanceof Resting) {
            founded = founding;
            state = watching(Optional.empty(), now);
        }
    }

    /** Stops striving for the slot; what is held is given away in order. */
    Optional<Turn> standAside() {
        wish = Wish.REST;
        return switch (state) {
            case Resting _,Leaving _,Releasing _,Lost _ -> Optional.empty();
            case Watching _ -> {
                state = new Resting();
                yield Optional.empty();
            }
            case Holding held -> {
                state = new Leaving(held);
                yield Optional.of(new Turn.Ended(term, Turn.Why.GIVEN));
            }
        };
    }

    /** All work of the term that ended is done. */
    void drained(long now) {
        state = switch (state) {
            case Leaving(Holding held) -> new Releasing(held.due(now));
            case Lost(Optional<Claim> claim) -> watchingOrResting(claim, now);
            case Resting _,Watching _,Holding _,Releasing _ -> state;
        };
    }

    /** When time alone changes something, whatever is under way. */
    OptionalLong expiry() {
        return switch (state) {
            case Holding held -> OptionalLong.of(until(held));
            case Releasing(Holding held) -> OptionalLong.of(until(held));
            case Resting _,Watching _,Leaving _,Lost _ -> OptionalLong.empty();
        };
    }

    /** Lets time pass: a term that was not renewed ends, and a release that does not succeed is given up, as the Lease lapses anyway. */
    Optional<Turn> tick(long now) {
        return switch (state) {
            case Holding held when now - until(held) >= 0 -> lose(claim(held), Turn.Why.EXPIRED);
            case Releasing(Holding held) when now - until(held) >= 0 -> released(claim(held), now);
            case Holding _,Releasing _,Resting _,Watching _,Leaving _,Lost _ -> Optional.empty();
        };
    }

    /** What to do now. A request must be answered with {@link #take} before the next call. */
    Order next(long now) {
        return switch (state) {
            case Resting _,Lost _ -> new Order.Rest(now + LONG.toNanos());
            case Watching watching -> watch(watching, now);
            case Holding held -> renew(held, now);
            case Leaving(Holding held) -> renew(held, now);
            case Releasing(Holding held) -> release(held, now);
        };
    }

    private Order watch(Watching watching, long now) {
        long takeAt = watching.basis() == Basis.READ ? takeAt(watching) : now + LONG.toNanos();
        if (now - takeAt >= 0) {
            return takeOver(watching, now);
        }
        return now - watching.lookAt() >= 0 ? new Order.Read() : new Order.Rest(earlier(takeAt, watching.lookAt()));
    }

    private long takeAt(Watching watching) {
        Sight sight = watching.sight().orElseThrow();
        boolean atOnce = sight.lease().isEmpty() || isGivenUp(sight.lease().get()) || isOf(sight.lease().get(), watching.claim());
        return atOnce ? sight.since() : sight.since() + times.patience(recorded(sight)).toNanos();
    }

    private static Duration recorded(Sight sight) {
        return sight.lease().flatMap(l -> l.spec().duration()).orElse(Duration.ZERO);
    }

    private boolean isFounder(long now) {
        return founded.isPresent() && now - founded.getAsLong() < times.deadline().toNanos();
    }

    private Order takeOver(Watching watching, long now) {
        Sight sight = watching.sight().orElseThrow();
        acquired = stamps.next();
        if (sight.lease().isEmpty()) {
            if (!isFounder(now)) {
                return new Order.Create(Purpose.PLACE, empty(times.patience(lastSeenDuration), 0, Map.of()));
            }
            fresh = founded.getAsLong();
            return new Order.Create(Purpose.TAKE, mine(0, acquired));
        }
        LeaseRecord lease = sight.lease().get();
        fresh = isGivenUp(lease) ? sight.since() : now;
        state = watching.claims(Optional.of(new Claim(lease.uid(), acquired)));
        int before = Math.max(0, lease.spec().transitions());
        int transitions = lease.spec().holder().equals(identity) || before == Integer.MAX_VALUE ? before : before + 1;
        return new Order.Change(Purpose.TAKE, lease, mine(transitions, acquired));
    }

    private Order renew(Holding held, long now) {
        if (now - held.dueAt() < 0) {
            return new Order.Rest(earlier(held.dueAt(), until(held)));
        }
        if (held.basis() == Basis.STALE) {
            return new Order.Read();
        }
        String renewed = stamps.next();
        return held.lease()
                .<Order>map(l -> new Order.Change(Purpose.RENEW, l, mine(Math.max(0, l.spec().transitions()), renewed)))
                .orElseGet(() -> new Order.Create(Purpose.RENEW, mine(0, renewed)));
    }

    private Order release(Holding held, long now) {
        if (now - held.dueAt() < 0) {
            return new Order.Rest(earlier(held.dueAt(), until(held)));
        }
        if (held.basis() == Basis.STALE || held.lease().isEmpty()) {
            return new Order.Read();
        }
        LeaseRecord lease = held.lease().get();
        return new Order.Change(Purpose.RELEASE, lease,
                empty(times.duration(), Math.max(0, lease.spec().transitions()), Map.of(RELEASED_BY, identity)));
    }

    private LeaseSpec mine(int transitions, String renewed) {
        return new LeaseSpec(identity, Optional.of(times.duration()), acquired, renewed, transitions, Map.of());
    }

    private LeaseSpec empty(Duration duration, int transitions, Map<String, String> marks) {
        return new LeaseSpec("", Optional.of(duration), "", stamps.next(), transitions, marks);
    }

    /** Takes the answer to a request in. sentAt: just before it was sent; now: after its answer came. */
    Optional<Turn> take(Order.Request request, Answer answer, long sentAt, long now) {
        Optional<Turn> expired = tick(now);
        Optional<Turn> turn = switch (state) {
            case Watching watching -> watched(watching, request, answer, sentAt, now);
            case Holding held -> held(held, answer, sentAt, now);
            case Leaving(Holding held) -> {
                left(held, answer, sentAt, now);
                yield Optional.empty();
            }
            case Releasing(Holding held) -> releasing(held, answer, now);
            case Lost _ -> {
                if (answer instanceof Answer.Stored(LeaseRecord lease)) {
                    state = new Lost(Optional.of(claim(lease)));
                }
                yield Optional.empty();
            }
            case Resting _ -> {
                if (answer instanceof Answer.Stored(LeaseRecord lease) && lease.spec().holder().equals(identity)) {
                    // The answer came after we had changed our mind.
                    state = new Releasing(new Holding(Optional.of(lease), sentAt, now, Basis.READ));
                }
                yield Optional.empty();
            }
        };
        return expired.or(() -> turn);
    }

    private Optional<Turn> watched(Watching watching, Order.Request request, Answer answer, long sentAt, long now) {
        state = switch (answer) {
            case Answer.Found(LeaseRecord lease) -> saw(watching, Optional.of(lease), now);
            case Answer.Absent _ -> saw(watching, Optional.empty(), now);
            case Answer.Stored(LeaseRecord lease) -> {
                if (isTake(request) && now - sentAt < times.deadline().toNanos()) {
                    yield new Holding(Optional.of(lease), sentAt, sentAt + times.renew().toNanos(), Basis.READ);
                }
                // Put in place; or too late to begin a term with; or the last renewal of the term before.
                yield saw(watching.claims(Optional.of(claim(lease))), Optional.of(lease), now);
            }
            case Answer.Conflict _ -> watching.stale(now);
            case Answer.Unknown _,Answer.Refused _ -> watching.stale(now + times.pause().toNanos());
        };
        if (state instanceof Holding held) {
            founded = OptionalLong.empty();
            return Optional.of(new Turn.Gained(++term, until(held), fresh));
        }
        return Optional.empty();
    }

    private static boolean isTake(Order.Request request) {
        return switch (request) {
            case Order.Read _ -> false;
            case Order.Create create -> create.purpose() == Purpose.TAKE;
            case Order.Change change -> change.purpose() == Purpose.TAKE;
        };
    }

    private Watching saw(Watching before, Optional<LeaseRecord> now, long at) {
        now.ifPresent(lease -> {
            founded = OptionalLong.empty();
            lastSeenDuration = lease.spec().duration().orElse(Duration.ZERO);
        });
        Sight sight = before.sight().map(s -> s.again(now, at)).orElseGet(() -> new Sight(now, at));
        Optional<Claim> claim = before.claim().filter(_ -> now.isPresent() && isOf(now.get(), before.claim()));
        return new Watching(Optional.of(sight), at + times.pause().toNanos(), Basis.READ, claim);
    }

    private Optional<Turn> held(Holding held, Answer answer, long sentAt, long now) {
        switch (answer) {
            case Answer.Stored(LeaseRecord lease) -> {
                Holding renewed = new Holding(Optional.of(lease), sentAt, sentAt + times.renew().toNanos(), Basis.READ);
                state = renewed;
                return Optional.of(new Turn.Extended(term, until(renewed)));
            }
            case Answer.Found(LeaseRecord lease) -> {
                if (isSomebodyElses(lease)) {
                    return lose(Optional.empty(), Turn.Why.TAKEN);
                }
                state = held.knows(Optional.of(lease), now);
            }
            case Answer.Absent _ -> state = held.knows(Optional.empty(), now);
            case Answer.Conflict _ -> state = held.stale(now);
            case Answer.Unknown _,Answer.Refused _ -> state = held.due(now + times.pause().toNanos());
        }
        return Optional.empty();
    }

    /** As long as work of the term goes on: the end was told, so nothing is told any more. */
    private void left(Holding held, Answer answer, long sentAt, long now) {
        Optional<Turn> _ = held(held, answer, sentAt, now);
        if (state instanceof Holding still) {
            state = new Leaving(still);
        }
    }

    private Optional<Turn> releasing(Holding held, Answer answer, long now) {
        switch (answer) {
            case Answer.Stored(LeaseRecord lease) when lease.spec().holder().isEmpty() -> {
                return released(Optional.empty(), now);
            }
            // The renewal that was under way.
            case Answer.Stored(LeaseRecord lease) -> state = new Releasing(held.knows(Optional.of(lease), now));
            case Answer.Found(LeaseRecord lease) when lease.spec().holder().equals(identity) ->
                state = new Releasing(held.knows(Optional.of(lease), now));
            case Answer.Found _,Answer.Absent _ -> {
                return released(Optional.empty(), now);
            }
            case Answer.Conflict _ -> state = new Releasing(held.stale(now));
            case Answer.Unknown _,Answer.Refused _ -> state = new Releasing(held.due(now + times.pause().toNanos()));
        }
        return Optional.empty();
    }

    private Optional<Turn> released(Optional<Claim> claim, long now) {
        state = watchingOrResting(claim, now);
        return Optional.of(new Turn.Released());
    }

    private Optional<Turn> lose(Optional<Claim> claim, Turn.Why why) {
        state = new Lost(claim);
        return Optional.of(new Turn.Ended(term, why));
    }

    private SlotState watchingOrResting(Optional<Claim> claim, long now) {
        return wish == Wish.CONTEND ? watching(claim, now) : new Resting();
    }

    private static Watching watching(Optional<Claim> claim, long now) {
        return new Watching(Optional.empty(), now, Basis.STALE, claim);
    }

    /** Another holder, or the mark of one that came and went. One that was cleared by hand is still ours until the deadline. */
    private boolean isSomebodyElses(LeaseRecord lease) {
        String holder = lease.spec().holder();
        return holder.isEmpty() ? isGivenUp(lease) : !holder.equals(identity);
    }

    private static boolean isGivenUp(LeaseRecord lease) {
        return lease.spec().holder().isEmpty() && lease.spec().marks().containsKey(RELEASED_BY);
    }

    private boolean isOf(LeaseRecord lease, Optional<Claim> claim) {
        return lease.spec().holder().equals(identity) && claim.equals(Optional.of(claim(lease)));
    }

    private static Claim claim(LeaseRecord lease) {
        return new Claim(lease.uid(), lease.spec().acquired());
    }

    private static Optional<Claim> claim(Holding held) {
        return held.lease().map(SlotLease::claim);
    }

    private long until(Holding held) {
        return held.sentAt() + times.deadline().toNanos();
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }
}

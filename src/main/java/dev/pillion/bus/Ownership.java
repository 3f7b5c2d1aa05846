package dev.pillion.bus;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

import dev.pillion.api.SetKey;

/**
 * Which slots this process owns, and until when it may start writes for them (style.md, sharding contract). The leases begin, extend and
 * end terms; whoever writes asks. The end of a term is a time of the local monotonic clock, so a process that was paused or cannot
 * renew stops by itself. Safe for all threads.
 */
public final class Ownership {
    private record Term(long number, long until) {
    }

    private final Slots slots;
    private final LongSupplier nanos;
    private final ConcurrentMap<Integer, Term> terms = new ConcurrentHashMap<>();

    /** @param nanos a monotonic clock in nanoseconds; the ends of terms are its times */
    public Ownership(Slots slots, LongSupplier nanos) {
        this.slots = slots;
        this.nanos = nanos;
    }

    public Slots slots() {
        return slots;
    }

    /** The slot is ours from now on, and the local view is fresh. */
    public void begin(int slot, long term, long until) {
        terms.put(slot, new Term(term, until));
    }

    /** A renewal succeeded; does nothing when that term is over. */
    public void extend(int slot, long term, long until) {
        terms.computeIfPresent(slot, (_, known) -> known.number == term ? new Term(term, until) : known);
    }

    public void end(int slot) {
        terms.remove(slot);
    }

    /** Whether work for the set is to be taken in. It may be true a moment longer than writes are allowed. */
    public boolean accepts(SetKey set) {
        return terms.containsKey(slots.of(set));
    }

    /** For one reconcile of the set: open as long as the present term of its slot lasts; a later term doesn't open it again. */
    public Fence fence(SetKey set) {
        int slot = slots.of(set);
        Term now = terms.get(slot);
        return now == null ? () -> false : () -> isOpen(slot, now.number);
    }

    /** Whether this process may start a write that belongs to no set: one process at a time may. */
    public boolean leads() {
        Term now = terms.get(Slots.FIRST);
        return now != null && isBefore(now.until);
    }

    private boolean isOpen(int slot, long term) {
        Term now = terms.get(slot);
        return now != null && now.number == term && isBefore(now.until);
    }

    private boolean isBefore(long until) {
        return nanos.getAsLong() - until < 0;
    }
}

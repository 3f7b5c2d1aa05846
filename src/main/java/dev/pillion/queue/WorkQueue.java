package dev.pillion.queue;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.BusMessage.Priority;

/**
 * The work queue (events.md 4). A key waits in one line at most, is in work with one ticket at most, and is held for one later time at
 * most. Adds while a key is in work bring it back once, after its worker is done. Not safe for threads: its verticle alone touches it.
 *
 * @param <K> what names a piece of work: sets in the queue of reconciles, Pods in that of their start
 */
public final class WorkQueue<K> {
    /**
     * A key handed to a worker.
     *
     * @param attempt failures of the key since its last success
     * @param waited from the add that lined the key up until now
     */
    public record Taken<K>(K key, long ticket, int attempt, Duration waited) {
    }

    /** A key in work for longer than it should. */
    public record Stuck<K>(K key, long ticket, Duration inWork) {
    }

    private static final Duration AFTER_LOSS = Duration.ofSeconds(1);
    /** Back-off while the API server is away, whatever the longest one is: else a set waits as long again once the server is back. */
    private static final Duration LONGEST_AWAY = Duration.ofSeconds(30);

    private final LongSupplier nanos;
    private final RateLimiter<K> limiter;
    private final Predicate<K> accepts;
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final EnumMap<Priority, Entry.Line<K>> lines = new EnumMap<>(Priority.class);
    private final HeldKeys<K> held = new HeldKeys<>();
    /** By ticket, oldest first. */
    private final LinkedHashMap<Long, Entry<K>> inWork = new LinkedHashMap<>();
    private long lastTicket;
    private long adds;
    private long retries;
    private boolean shutDown;

    /**
     * Takes every key.
     *
     * @param nanos a monotonic clock in nanoseconds, the same as the limiter's
     */
    public WorkQueue(LongSupplier nanos, RateLimiter<K> limiter) {
        this(nanos, limiter, _ -> true);
    }

    /** @param accepts adds of other keys are dropped; may change, see {@link #dropStrangers} */
    public WorkQueue(LongSupplier nanos, RateLimiter<K> limiter, Predicate<K> accepts) {
        this.nanos = nanos;
        this.limiter = limiter;
        this.accepts = accepts;
        for (Priority band : Priority.values()) {
            lines.put(band, new Entry.Line<>());
        }
    }

    /** Lines the key up now, or after a positive time. Does nothing after {@link #shutDown}, nor for a key that is not accepted. */
    public void add(K key, Duration after, Priority band) {
        if (shutDown || !accepts.test(key)) {
            return;
        }
        mature();
        Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
        long now = nanos.getAsLong();
        if (after.isPositive()) {
            hold(entry, now + after.toNanos(), band);
        } else {
            want(entry, band, now);
        }
    }

    /** Rules 4.5, 4.6: of two times the earlier one wins; the band only rises. */
    private void hold(Entry<K> entry, long readyAt, Priority band) {
        if (!entry.isHeld()) {
            entry.readyAt = readyAt;
            entry.heldBand = band;
            held.add(entry);
            return;
        }
        entry.heldBand = Entry.higher(entry.heldBand, band);
        if (readyAt - entry.readyAt < 0) {
            entry.readyAt = readyAt;
            held.moved(entry);
        }
    }

    /** Rules 4.1, 4.3, 4.15. A held entry stays held (4.7). */
    private void want(Entry<K> entry, Priority band, long since) {
        if (!entry.wanted) {
            adds++;
            entry.wanted = true;
            entry.band = band;
            entry.wantedSince = since;
            if (!entry.isInWork()) {
                line(band).append(entry);
            }
            return;
        }
        if (Entry.higher(entry.band, band) == entry.band) {
            return;
        }
        entry.band = band;
        if (entry.line != null) {
            entry.line.remove(entry);
            line(band).append(entry);
        }
    }

    /** Hands out the next key, if one is due. The caller must bring the ticket back with {@link #done}. */
    public Optional<Taken<K>> take() {
        if (shutDown) {
            return Optional.empty();
        }
        mature();
        return line(Priority.HIGH).first().or(() -> line(Priority.LOW).first()).map(this::take);
    }

    private Taken<K> take(Entry<K> entry) {
        line(entry.band).remove(entry);
        long now = nanos.getAsLong();
        entry.wanted = false;
        entry.ticket = ++lastTicket;
        entry.takenAt = now;
        entry.takenBand = entry.band;
        inWork.put(entry.ticket, entry);
        return new Taken<>(entry.key, entry.ticket, limiter.failures(entry.key), Duration.ofNanos(now - entry.wantedSince));
    }

    /** Moves the keys whose time has come into their line; before each add too, since they came earlier. */
    private void mature() {
        long now = nanos.getAsLong();
        for (Optional<Entry<K>> soonest = held.soonest(); soonest.isPresent()
                && soonest.get().readyAt - now <= 0; soonest = held.soonest()) {
            Entry<K> entry = soonest.get();
            held.remove(entry);
            want(entry, entry.heldBand, entry.readyAt);
        }
    }

    /**
     * Ends the work under a ticket and frees the key: first what the outcome asks for, then the key goes back in line if it was wanted
     * meanwhile.
     *
     * @return false when the ticket is not the key's current one; then nothing happens
     */
    public boolean done(K key, long ticket, Outcome outcome) {
        Entry<K> entry = inWork.get(ticket);
        if (entry == null || !entry.key.equals(key)) {
            return false;
        }
        switch (outcome) {
            case Outcome.Settled _,Outcome.Gone _ -> limiter.forget(key);
            case Outcome.Again again -> {
                limiter.forget(key);
                add(key, again.after(), entry.takenBand);
            }
            case Outcome.Failed failed -> {
                if (!shutDown && accepts.test(key)) {
                    retries++;
                    add(key, failed.isUnavailable() ? limiter.next(key, LONGEST_AWAY) : limiter.next(key), entry.takenBand);
                }
            }
            case Outcome.Lost _ -> {
                limiter.forget(key);
                // Nobody took it from us after all, if it is accepted still: a renewal came in just then.
                add(key, AFTER_LOSS, entry.takenBand);
            }
        }
        free(entry);
        return true;
    }

    /** Takes a key back that no worker ever got: it goes to the end of its line. */
    public void giveBack(long ticket) {
        Entry<K> entry = inWork.get(ticket);
        if (entry != null) {
            add(entry.key, Duration.ZERO, entry.takenBand);
            free(entry);
        }
    }

    private void free(Entry<K> entry) {
        inWork.remove(entry.ticket);
        entry.ticket = Entry.IDLE;
        if (entry.wanted && !shutDown) {
            line(entry.band).append(entry);
        } else if (shutDown) {
            entry.wanted = false;
        }
        if (entry.isForgettable()) {
            entries.remove(entry.key);
        }
    }

    /** Nanoseconds until a key is due: 0 when one is, empty when none is waiting or held. */
    public OptionalLong nextDue() {
        if (shutDown) {
            return OptionalLong.empty();
        }
        if (depth() > 0) {
            return OptionalLong.of(0);
        }
        return held.soonest().map(e -> OptionalLong.of(Math.max(0, e.readyAt - nanos.getAsLong()))).orElse(OptionalLong.empty());
    }

    /** Keys in work for at least this long, oldest first. They stay in work: only their worker frees them. */
    public List<Stuck<K>> stuck(Duration after) {
        long now = nanos.getAsLong();
        return inWork.values().stream().takeWhile(e -> now - e.takenAt >= after.toNanos())
                .map(e -> new Stuck<>(e.key, e.ticket, Duration.ofNanos(now - e.takenAt))).toList();
    }

    /** How many these are; asked after every message, so it makes nothing. */
    public int stuckKeys(Duration after) {
        long now = nanos.getAsLong();
        int stuck = 0;
        for (Entry<K> entry : inWork.values()) {
            if (now - entry.takenAt < after.toNanos()) {
                break;
            }
            stuck++;
        }
        return stuck;
    }

    /** Rule 4.14: from now on no add is taken and no key handed out; what is held or waits is lost. Work under a ticket goes on. */
    public void shutDown() {
        shutDown = true;
        held.clear();
        lines.values().forEach(line -> {
            for (Optional<Entry<K>> first = line.first(); first.isPresent(); first = line.first()) {
                first.get().wanted = false;
                line.remove(first.get());
            }
        });
        entries.values().removeIf(Entry::isForgettable);
    }

    /** Forgets the keys that are not accepted any more. Those in work stay until their worker is done, and don't come back. */
    public void dropStrangers() {
        for (Entry<K> entry : List.copyOf(entries.values())) {
            if (accepts.test(entry.key)) {
                continue;
            }
            limiter.forget(entry.key);
            entry.wanted = false;
            if (entry.isHeld()) {
                held.remove(entry);
            }
            if (entry.line != null) {
                entry.line.remove(entry);
            }
            if (entry.isForgettable()) {
                entries.remove(entry.key);
            }
        }
    }

    /** The keys that workers hold. */
    public List<K> keysInWork() {
        return inWork.values().stream().map(e -> e.key).toList();
    }

    /** Whether nothing is in work. */
    public boolean isDrained() {
        return inWork.isEmpty();
    }

    /** Keys waiting for a worker; the ones that are held, in work or dirty do not count. */
    public int depth() {
        int depth = 0;
        for (Entry.Line<K> line : lines.values()) {
            depth += line.size();
        }
        return depth;
    }

    public int heldKeys() {
        return held.size();
    }

    public int inWork() {
        return inWork.size();
    }

    /** Adds so far that lined a key up or marked it. */
    public long adds() {
        return adds;
    }

    /** Rate-limited adds so far. */
    public long retries() {
        return retries;
    }

    private Entry.Line<K> line(Priority band) {
        return Objects.requireNonNull(lines.get(band));
    }
}

package dev.pillion.queue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import dev.pillion.api.SetKey;
import dev.pillion.bus.BusMessage.Done;
import dev.pillion.bus.BusMessage.Enqueue;
import dev.pillion.bus.BusMessage.Reconcile;
import dev.pillion.bus.BusMessage.SlotDrained;
import dev.pillion.bus.BusMessage.SlotsChanged;
import dev.pillion.metrics.QueueMeters;
import dev.pillion.queue.WorkQueue.Stuck;
import dev.pillion.queue.WorkQueue.Taken;

/**
 * Brings keys of the work queue and idle workers together (style.md, rules 1-3 of the bus). A worker is idle from its WorkerReady, and
 * again from each Done on. Not safe for threads.
 */
final class Dispatcher {
    /** A message for one worker. */
    record Assignment(int worker, Reconcile message) {
    }

    private final WorkQueue<SetKey> queue;
    private final QueueMeters meters;
    private final Duration stuckAfter;
    private final SlotDrains drains;
    private final ArrayDeque<Integer> idle = new ArrayDeque<>();
    private final Map<Long, Integer> workerOf = new HashMap<>();
    private final Set<Integer> dead = new HashSet<>();
    private final Set<Long> reported = new HashSet<>();

    Dispatcher(WorkQueue<SetKey> queue, QueueMeters meters, Duration stuckAfter, SlotDrains drains) {
        this.queue = queue;
        this.meters = meters;
        this.stuckAfter = stuckAfter;
        this.drains = drains;
    }

    void enqueue(Enqueue message) {
        queue.add(message.set(), message.after(), message.priority());
    }

    /** Sets of slots that went are handed out no more; {@link #drainedSlots} tells when the last of them is done. */
    void slotsChanged(SlotsChanged message) {
        queue.dropStrangers();
        drains.changed(message);
    }

    /** The slots that went and of which no set is in work any more; each once. */
    List<SlotDrained> drainedSlots() {
        return drains.isEmpty() ? List.of() : drains.drained(queue.keysInWork());
    }

    void ready(int worker) {
        dead.remove(worker);
        if (!idle.contains(worker) && !workerOf.containsValue(worker)) {
            idle.addLast(worker);
        }
    }

    /** False: the report came from a worker that no longer held the key, and was ignored. */
    boolean done(Done message) {
        if (!queue.done(message.set(), message.ticket(), message.outcome())) {
            meters.staleTicket();
            return false;
        }
        release(message.ticket()).ifPresent(idle::addLast);
        return true;
    }

    /** A worker ended in order. Whatever it should still hold goes back in line. */
    void gone(int worker) {
        idle.remove(worker);
        List.copyOf(workerOf.entrySet()).stream().filter(e -> e.getValue() == worker).forEach(e -> takeBack(e.getKey()));
    }

    /** A message did not reach its worker: the worker is dead, and the key goes to another one. */
    void lost(Assignment assignment) {
        dead.add(assignment.worker);
        takeBack(assignment.message.ticket());
    }

    private void takeBack(long ticket) {
        queue.giveBack(ticket);
        release(ticket);
    }

    private Optional<Integer> release(long ticket) {
        reported.remove(ticket);
        meters.done(ticket);
        return Optional.ofNullable(workerOf.remove(ticket));
    }

    /** The next message to send; empty when no key is due or no worker is idle. */
    Optional<Assignment> next() {
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        return queue.take().map(this::assign);
    }

    private Assignment assign(Taken<SetKey> taken) {
        int worker = idle.removeFirst();
        workerOf.put(taken.ticket(), worker);
        meters.taken(taken.ticket(), taken.waited());
        return new Assignment(worker, new Reconcile(taken.key(), taken.ticket(), taken.attempt()));
    }

    /** Nanoseconds until {@link #next} can have something although no message comes in. */
    OptionalLong nextDue() {
        return idle.isEmpty() ? OptionalLong.empty() : queue.nextDue();
    }

    /** Keys that became stuck since the last call. */
    List<Stuck<SetKey>> newlyStuck() {
        List<Stuck<SetKey>> fresh = new ArrayList<>(queue.stuck(stuckAfter));
        fresh.removeIf(s -> !reported.add(s.ticket()));
        return fresh;
    }

    int stuckKeys() {
        return queue.stuckKeys(stuckAfter);
    }

    Set<Integer> deadWorkers() {
        return Set.copyOf(dead);
    }

    void shutDown() {
        queue.shutDown();
    }

    boolean isDrained() {
        return queue.isDrained();
    }

    QueueMeters.State state() {
        return new QueueMeters.State(queue.depth(), queue.heldKeys(), queue.adds(), queue.retries(), stuckKeys(), dead.size());
    }
}

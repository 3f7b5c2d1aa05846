package dev.pillion.sim;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;

import dev.pillion.sim.PodLife.Step;

/**
 * The nodes of the simulated cluster, and its scheduler: brings every Pod's status to what {@link PodLife} says, with delays.
 * One thread waits for the earliest step of all Pods; steps run on virtual threads, a bounded number at a time. Each Pod has one step at most.
 */
final class Kubelet implements PodFeed.Follower, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Kubelet.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    /** A real node takes longer; tests should not. */
    private static final Duration CONFIG_RETRY = Duration.ofMillis(200);

    private final SimApi api;
    private final SimOptions options;
    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final PodLife life;
    private final Semaphore parallel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Slot> slots = new HashMap<>();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::at));
    private final Thread thread;
    private boolean closed;

    /** A step to take; obsolete when the slot holds another one. */
    private record Due(long at, String uid, Step step) {
    }

    private static final class Slot {
        private SimPod pod;
        private @Nullable Due due;
        private boolean busy;
        /** When its containers were stopped for new ones, and the new ones are still to start. */
        private @Nullable Long stopped;

        private Slot(SimPod pod) {
            this.pod = pod;
        }
    }

    /** @param nanos monotonic time in nanoseconds */
    Kubelet(SimApi api, SimOptions options, RandomGenerator random, LongSupplier nanos) {
        this.api = api;
        this.options = options;
        this.random = random;
        this.nanos = nanos;
        this.life = new PodLife(options::canPull);
        this.parallel = new Semaphore(options.parallel());
        this.thread = Thread.ofVirtual().name("sim-kubelet").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void seen(Pod pod) {
        SimPod now = SimPod.of(pod);
        lock.lock();
        try {
            Slot slot = slots.computeIfAbsent(now.uid(), _ -> new Slot(now));
            if (Long.compareUnsigned(now.version(), slot.pod.version()) >= 0) {
                slot.pod = now;
                plan(slot, Duration.ZERO);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void gone(Pod pod) {
        lock.lock();
        try {
            slots.remove(pod.getMetadata().getUid());
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. A step that is planned already keeps its time. */
    private void plan(Slot slot, Duration atLeast) {
        if (slot.busy) {
            return;
        }
        Optional<Step> step = life.next(slot.pod);
        if (step.isEmpty()) {
            slot.due = null;
        } else if (slot.due == null || slot.due.step() != step.get()) {
            long now = nanos.getAsLong();
            // A node does not wait until the API server has heard of the stop before it starts the new container.
            long from = step.get() == Step.RESTART && slot.stopped != null ? slot.stopped : now;
            Due due = new Due(due(now, atLeast, from, delay(step.get())), slot.pod.uid(), step.get());
            slot.due = due;
            queue.add(due);
            changed.signal();
        }
    }

    /** The moment of a step: the delay after it began to be waited for, and never before now and the pause. All in ns. */
    static long due(long now, Duration pause, long from, Duration delay) {
        long earliest = now + pause.toNanos();
        long wanted = from + delay.toNanos();
        return wanted - earliest > 0 ? wanted : earliest;
    }

    private Duration delay(Step step) {
        return switch (step) {
            case BIND, STOP -> Duration.ZERO;
            case START -> options.start().draw(random);
            case RESTART -> options.restart().draw(random);
            case REMOVE -> options.stop().draw(random);
        };
    }

    private void run() {
        try {
            while (true) {
                Slot slot = awaitDue();
                if (slot == null) {
                    return;
                }
                parallel.acquire();
                Thread.ofVirtual().name("sim-kubelet-step").start(() -> {
                    try {
                        carryOut(slot);
                    } finally {
                        parallel.release();
                    }
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The slot of the next step whose time has come, marked busy; null at the end. */
    private @Nullable Slot awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                Due next = queue.peek();
                if (next == null) {
                    changed.await();
                    continue;
                }
                long wait = next.at() - nanos.getAsLong();
                if (wait > 0) {
                    boolean _ = changed.await(wait, TimeUnit.NANOSECONDS);
                    continue;
                }
                queue.poll();
                Slot slot = slots.get(next.uid());
                if (slot != null && next.equals(slot.due)) {
                    slot.busy = true;
                    return slot;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void carryOut(Slot slot) {
        SimPod pod;
        Step step;
        lock.lock();
        try {
            pod = slot.pod;
            // What the Pod needs may have changed while the step waited for its turn.
            step = life.next(pod).orElse(null);
            slot.stopped = step == Step.STOP ? Long.valueOf(nanos.getAsLong()) : null;
        } finally {
            lock.unlock();
        }
        Duration pause = Duration.ZERO;
        SimPod answer = null;
        try {
            answer = step == null ? null : send(pod, step);
            pause = pod.equals(answer) ? CONFIG_RETRY : Duration.ZERO;
        } catch (KubernetesClientException e) {
            pause = AFTER_FAILURE;
            if (!SimApi.isGone(e)) {
                LOG.atWarn().addKeyValue("pod", pod.namespace() + "/" + pod.name()).addKeyValue("reason", e.getMessage())
                        .log("step failed");
            }
        } catch (RuntimeException e) {
            pause = AFTER_FAILURE;
            LOG.atError().setCause(e).addKeyValue("pod", pod.namespace() + "/" + pod.name()).log("step failed");
        }
        done(slot, pod, step, answer, pause);
    }

    /** The Pod afterwards: null when the next event tells, the given one when containers still wait for their configuration. */
    private @Nullable SimPod send(SimPod pod, Step step) {
        switch (step) {
            case BIND -> api.bind(pod, "node-" + (1 + Math.floorMod(pod.uid().hashCode(), options.nodes())));
            case REMOVE -> api.remove(pod);
            case START, STOP, RESTART -> {
                Set<SimPod.ConfigKey> keys = api.configured(pod.namespace(), PodLife.needs(pod));
                SimPod after = life.after(pod, step, api.now(), keys::contains);
                return PodLife.changes(pod, after) ? SimPod.of(api.patchStatus(after)) : pod;
            }
        }
        return null;
    }

    private void done(Slot slot, SimPod pod, @Nullable Step step, @Nullable SimPod answer, Duration pause) {
        lock.lock();
        try {
            slot.busy = false;
            slot.due = null;
            if (answer != null && Long.compareUnsigned(answer.version(), slot.pod.version()) > 0) {
                slot.pod = answer;
            }
            // A step without an answer shows in the next event; planning on the old view would repeat it.
            boolean blind = answer == null && step != null && pause.isZero() && slot.pod.version() == pod.version();
            if (!blind && slots.containsKey(pod.uid())) {
                plan(slot, pause);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
    }
}

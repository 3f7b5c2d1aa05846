package dev.pillion.startup;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.PodStartup.Launch;
import dev.pillion.api.PodView;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.BarrierMap;
import dev.pillion.kube.EventSink;
import dev.pillion.kube.KubeException;

/**
 * Carries out the steps of a {@link LaunchPlan}, one after the other, until there is nothing to do before a container becomes ready. The
 * ConfigMap is read when nothing fresh is known of it; every answer to an own write counts as such. Whoever else touches it meanwhile is
 * noticed by the precondition of the next write, and it is read again.
 */
final class LaunchKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchKeeper.class);
    static final String BLOCKED = "LaunchPriorityBlocked";
    private static final int MOST_STEPS = 8;

    private final StartupPorts ports;
    private final Writer writer;
    private final OpenPods open;
    private final StartupOptions options;
    private final LongSupplier nanos;

    LaunchKeeper(StartupPorts ports, Writer writer, OpenPods open, StartupOptions options, LongSupplier nanos) {
        this.ports = ports;
        this.writer = writer;
        this.open = open;
        this.options = options;
        this.nanos = nanos;
    }

    /** What is known of the ConfigMap, and since when. */
    private record Known(Optional<BarrierMap> map, long at) {
    }

    Outcome look(PodView pod, Launch launch) {
        LaunchPlan plan = LaunchPlan.of(pod, launch);
        Memo memo = open.memo(pod, nanos.getAsLong());
        // Should a step fail, the next look must not rest on what was known before it.
        open.remember(pod, memo.withoutMap());
        Known known = memo.map(nanos.getAsLong(), trusted(plan).toNanos()).map(m -> new Known(Optional.of(m), memo.readAt()))
                .orElseGet(() -> read(pod));
        for (int i = 0; i < MOST_STEPS; i++) {
            LaunchPlan.Step step = plan.next(known.map);
            switch (step) {
                case LaunchPlan.Step.Create create -> known = create(pod, create);
                case LaunchPlan.Step.Delete delete -> known = delete(pod, delete.map());
                case LaunchPlan.Step.Adopt(BarrierMap map, var keys) -> known = changed(pod, "barrier-adopt",
                        () -> ports.barriers().adopt(map, pod, keys));
                case LaunchPlan.Step.Add(BarrierMap map, var keys) -> known = changed(pod, "barrier-add",
                        () -> ports.barriers().add(map, keys));
                case LaunchPlan.Step.Vanishing _ -> {
                    return new Outcome.Failed("vanishing");
                }
                case LaunchPlan.Step.Complete _ -> {
                    return complete(plan, known, memo);
                }
                case LaunchPlan.Step.Await _,LaunchPlan.Step.Done _ -> {
                    return await(plan, known, memo);
                }
            }
        }
        return new Outcome.Failed("conflict");
    }

    /** How long a read of the ConfigMap is good for: a container that does not find its key may know better. */
    private Duration trusted(LaunchPlan plan) {
        return plan.missesKey() ? options.keySeen() : options.lookAgain();
    }

    private Known read(PodView pod) {
        return new Known(ports.barriers().read(pod), nanos.getAsLong());
    }

    private Known create(PodView pod, LaunchPlan.Step.Create create) {
        try {
            return new Known(Optional.of(writer.write("barrier-create", pod.key(), () -> ports.barriers().create(pod, create.keys()))),
                    nanos.getAsLong());
        } catch (KubeException e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
            return read(pod);
        }
    }

    private Known changed(PodView pod, String what, Supplier<BarrierMap> request) {
        try {
            return new Known(Optional.of(writer.write(what, pod.key(), request)), nanos.getAsLong());
        } catch (KubeException e) {
            if (!e.isGone() && !e.isConflict()) {
                throw e;
            }
            return read(pod);
        }
    }

    /** A predecessor's: its Pod is gone, and its keys would start this one in no order (trap 2). */
    private Known delete(PodView pod, BarrierMap map) {
        LOG.atInfo().addKeyValue("pod", pod.key()).addKeyValue("configMap", map.name()).addKeyValue("uid", map.uid())
                .log("Barrier ConfigMap of a Pod of the same name is replaced");
        writer.write("barrier-delete", pod.key(), () -> {
            ports.barriers().delete(map);
            return map;
        });
        return new Known(Optional.empty(), nanos.getAsLong());
    }

    private Outcome complete(LaunchPlan plan, Known known, Memo memo) {
        PodView pod = plan.pod();
        PodView answer = writer.write("completed", pod.key(), () -> ports.podWrites().patch(pod.key(), PodPatches.completed(pod)));
        ports.pods().applyOwnWrite(answer);
        return answer.startup().launch().map(l -> await(LaunchPlan.of(answer, l), known, memo)).orElseGet(Outcome.Settled::new);
    }

    /** Until a container becomes ready, or finds its key; looked at less and less often while nothing moves. */
    private Outcome await(LaunchPlan plan, Known known, Memo memo) {
        long now = nanos.getAsLong();
        Memo next = known.map.map(m -> memo.with(m, known.at, plan.due(), now)).orElseGet(memo::withoutMap);
        Duration still = Duration.ofNanos(now - next.movedAt());
        // Told after the patience, and again after each time as long as all before.
        if (!plan.held().isEmpty() && still.compareTo(options.patience().multipliedBy(1L << Math.min(next.warnings(), 30))) >= 0) {
            blocked(plan, still);
            next = next.warned();
        }
        open.remember(plan.pod(), next);
        Duration again = still.compareTo(trusted(plan)) < 0 ? trusted(plan) : still;
        return new Outcome.Again(again.compareTo(options.lookAgainMost()) > 0 ? options.lookAgainMost() : again);
    }

    private void blocked(LaunchPlan plan, Duration still) {
        PodView pod = plan.pod();
        List<String> ended = plan.blockers().stream().filter(plan.endedBlockers()::contains).toList();
        String note = "launch priority: " + names(plan.held()) + " not started, waiting for " + names(plan.blockers())
                + " to become ready, for " + still.toMinutes() + " minutes";
        if (!ended.isEmpty()) {
            note += "; " + names(ended) + " ended and never becomes ready: give it the smallest number, or make it an init container";
        }
        LOG.atWarn().addKeyValue("pod", pod.key()).addKeyValue("reason", note).log("Launch does not go on");
        ports.events().onPod(pod.key(), pod.uid(), EventSink.Type.WARNING, BLOCKED, note);
    }

    private static String names(List<String> containers) {
        return (containers.size() == 1 ? "container " : "containers ") + String.join(", ", containers);
    }
}

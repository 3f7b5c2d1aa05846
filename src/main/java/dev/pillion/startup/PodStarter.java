package dev.pillion.startup;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.PodView;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.StartupMeters;

/**
 * One look at one Pod: its gate, then its barriers; neither keeps the other from being served. Never throws for what a Pod, its objects or
 * the API server do. Safe for all threads, as long as one Pod has one caller at a time.
 */
final class PodStarter {
    private static final Logger LOG = LoggerFactory.getLogger(PodStarter.class);

    private final StartupPorts ports;
    private final StartupOptions options;
    private final OpenPods open;
    private final StartupMeters meters;
    private final LongSupplier nanos;
    private final GateKeeper gates;
    private final LaunchKeeper launches;

    PodStarter(StartupPorts ports, OpenPods open, StartupOptions options, Times times, Rights rights) {
        this.ports = ports;
        this.options = options;
        this.open = open;
        this.meters = rights.meters;
        this.nanos = times.nanos;
        Writer writer = new Writer(rights.mayWrite, rights.meters);
        this.gates = new GateKeeper(ports, writer, times.clock, options.patience());
        this.launches = new LaunchKeeper(ports, writer, open, options, times.nanos);
        for (String word : GateMessage.WRITERS) {
            rights.meters.heldBack(word, () -> heldBack(word, rights.mayWrite));
        }
    }

    /** nanos is monotonic, clock tells the time of day. */
    record Times(LongSupplier nanos, InstantSource clock) {
    }

    /** Whether this instance may write to a Pod now, and where its writes are counted. */
    record Rights(Predicate<PodKey> mayWrite, StartupMeters meters) {
    }

    /** Settled: nothing to do before the next event. Again: also then. Failed: with back-off. */
    Outcome look(PodKey key) {
        Optional<PodView> pod = open.judge(key) ? ports.pods().get(key) : Optional.empty();
        if (pod.isEmpty()) {
            return new Outcome.Settled();
        }
        Outcome gate = guarded("readiness gate", pod.get(), () -> gate(pod.get()));
        // Opening the gate has made a newer view.
        PodView now = ports.pods().get(key).filter(p -> p.uid().equals(pod.get().uid())).orElse(pod.get());
        Outcome launch = guarded("launch priority", now, () -> launch(now));
        open.judge(key);
        return both(gate, launch);
    }

    private Outcome gate(PodView pod) {
        if (!options.serves(Feature.READINESS_GATE)) {
            return new Outcome.Settled();
        }
        return switch (pod.startup().gate()) {
            case ReadyGate.Settled _ -> new Outcome.Settled();
            case ReadyGate.Unset _ -> gates.open(pod);
            case ReadyGate.Closed closed -> {
                Memo memo = open.memo(pod, nanos.getAsLong());
                Memo.Told told = gates.watch(pod, closed, memo.told());
                open.remember(pod, memo.with(told));
                yield told == Memo.Told.TOLD ? new Outcome.Settled() : new Outcome.Again(gates.untilLong(pod, closed));
            }
        };
    }

    private Outcome launch(PodView pod) {
        if (!options.serves(Feature.LAUNCH_PRIORITY)) {
            return new Outcome.Settled();
        }
        return pod.startup().launch().map(l -> launches.look(pod, l)).orElseGet(Outcome.Settled::new);
    }

    private Outcome guarded(String what, PodView pod, Supplier<Outcome> part) {
        Outcome outcome;
        try {
            outcome = part.get();
        } catch (KubeException e) {
            if (e.isGone()) {
                // The watch will say so too; should it not, the Pod is not forgotten.
                return new Outcome.Again(options.keySeen());
            }
            LOG.atWarn().addKeyValue("pod", pod.key()).addKeyValue("part", what).addKeyValue("reason", e.getMessage())
                    .log("Start of a Pod could not be served, it is tried again");
            outcome = new Outcome.Failed(Writer.word(e));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().setCause(e).addKeyValue("pod", pod.key()).addKeyValue("part", what).log("Start of a Pod could not be served");
            outcome = new Outcome.Failed("fault");
        }
        if (outcome instanceof Outcome.Failed(String reason)) {
            meters.failed(reason);
        }
        return outcome;
    }

    private static Outcome both(Outcome a, Outcome b) {
        if (a instanceof Outcome.Again(Duration one) && b instanceof Outcome.Again(Duration other)) {
            return one.compareTo(other) < 0 ? a : b;
        }
        return a instanceof Outcome.Failed || b instanceof Outcome.Settled ? a : b;
    }

    /** Pods of ours that somebody keeps from being ready for long. */
    private long heldBack(String writer, Predicate<PodKey> ours) {
        return open.keys().stream().filter(ours).flatMap(key -> ports.pods().get(key).stream()).filter(gates::isClosedForLong)
                .filter(pod -> pod.startup().gate() instanceof ReadyGate.Closed closed
                        && GateMessage.writers(closed.message()).contains(writer))
                .count();
    }
}

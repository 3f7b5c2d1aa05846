package dev.pillion.startup;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.PodView;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.KubeException;

/**
 * The condition KruisePodReady (neighbours.md 2.2): set once, on a Pod that has the gate and no such condition. An existing condition is
 * never touched, whatever it says; one that stays closed is told of.
 */
final class GateKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(GateKeeper.class);
    private static final int TRIES = 3;

    private final StartupPorts ports;
    private final Writer writer;
    private final InstantSource clock;
    private final Duration patience;

    GateKeeper(StartupPorts ports, Writer writer, InstantSource clock, Duration patience) {
        this.ports = ports;
        this.writer = writer;
        this.clock = clock;
        this.patience = patience;
    }

    /** Sets the condition of a Pod that lacks it. Rivals write the status too: after a conflict the Pod is read and judged anew. */
    Outcome open(PodView pod) {
        PodView seen = pod;
        for (int i = 0; i < TRIES; i++) {
            if (seen.deleting() || !seen.uid().equals(pod.uid()) || !(seen.startup().gate() instanceof ReadyGate.Unset)) {
                return new Outcome.Settled();
            }
            try {
                PodView now = seen;
                ports.pods().applyOwnWrite(writer.write("ready", now.key(),
                        () -> ports.podWrites().patchStatus(now.key(), PodPatches.ready(now, clock.instant()))));
                return new Outcome.Settled();
            } catch (KubeException e) {
                if (!e.isConflict()) {
                    throw e;
                }
                seen = ports.podWrites().read(pod.key());
                ports.pods().applyOwnWrite(seen);
            }
        }
        return new Outcome.Failed("conflict");
    }

    /** How long the gate is closed; an unreadable time counts from the Pod's creation. */
    Duration closedFor(PodView pod, ReadyGate.Closed gate) {
        return Duration.between(since(pod, gate), clock.instant());
    }

    private Instant since(PodView pod, ReadyGate.Closed gate) {
        try {
            return Instant.parse(gate.since());
        } catch (DateTimeException e) {
            return pod.created().orElseGet(clock::instant);
        }
    }

    boolean isClosedForLong(PodView pod) {
        return pod.startup().gate() instanceof ReadyGate.Closed closed && closedFor(pod, closed).compareTo(patience) >= 0;
    }

    /** The log is told once of a gate that stays closed. */
    Memo.Told watch(PodView pod, ReadyGate.Closed gate, Memo.Told told) {
        if (told == Memo.Told.NOT_YET && isClosedForLong(pod)) {
            LOG.atWarn().addKeyValue("pod", pod.key()).addKeyValue("message", gate.message())
                    .addKeyValue("minutes", closedFor(pod, gate).toMinutes()).log("Readiness gate KruisePodReady is closed for long");
            return Memo.Told.TOLD;
        }
        return told;
    }

    /** When to look at a closed gate next. */
    Duration untilLong(PodView pod, ReadyGate.Closed gate) {
        return patience.minus(closedFor(pod, gate));
    }
}

package dev.pillion.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.pillion.api.Json;

import tools.jackson.databind.node.ObjectNode;

/** What the audit log says of the roll-out. */
record Summary(int pods, int sound, int mostUnavailable, double seconds, int podWrites, int statusPatches, int writtenPods,
        List<String> violations) {
    /** Changes travel to the controller within this time on a local cluster, however busy the machine is. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    static Summary of(List<AuditLog.Write> writes, List<ObjectNode> sets, Progress end) {
        List<String> violations = new ArrayList<>();
        int most = 0;
        int podWrites = 0;
        int statusPatches = 0;
        int written = 0;
        for (ObjectNode set : sets) {
            Judge.Verdict verdict = Judge.judge(writes, Json.text(set.path("metadata"), "name"), GRACE);
            violations.addAll(verdict.violations());
            most = Math.max(most, verdict.mostUnavailable());
            podWrites = verdict.podWrites().values().stream().mapToInt(Integer::intValue).sum();
            statusPatches = verdict.statusPatches().values().stream().mapToInt(Integer::intValue).sum();
            written = verdict.podWrites().size();
        }
        return new Summary(end.pods(), end.sound(), most, seconds(writes), podWrites, statusPatches, written, violations);
    }

    /** From the last change of a set's spec by a user to the last write of a pod's status. */
    private static double seconds(List<AuditLog.Write> writes) {
        Instant from = Instant.MAX;
        Instant to = Instant.MIN;
        for (AuditLog.Write write : writes) {
            if (write.isOn("sidecarsets") && write.subresource().isEmpty() && write.verb().equals("update")) {
                from = write.at();
            } else if (write.isOn("pods")) {
                to = write.at();
            }
        }
        return from.isAfter(to) ? 0 : Duration.between(from, to).toMillis() / 1000.0;
    }

    /** Prints the figures and the last line; returns the exit code. */
    int print(PrintStream out) {
        out.println();
        out.printf(
                "pods %d, %.1f s, at most %d unavailable at once, %d writes to %d pods and %d status patches (%.2f API writes per pod)%n",
                pods, seconds,
                mostUnavailable, podWrites, writtenPods, statusPatches, pods == 0 ? 0.0 : (double) (podWrites + statusPatches) / pods);
        if (!violations.isEmpty()) {
            violations.forEach(v -> out.println("maxUnavailable was not kept: " + v));
            return Demo.FAILED;
        }
        out.println("roll-out complete: " + sound + "/" + pods + " pods updated and ready, at most " + mostUnavailable + " unavailable");
        return 0;
    }
}

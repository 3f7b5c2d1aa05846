package dev.pillion.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Locale;

/** Many creates of large Pods at the same moment (FR-25), over as many new connections as an API server would open for them. */
final class Burst {
    /** Variables that make the review of a Pod 50 KiB long. */
    private static final int VARIABLES = 900;
    /** What the server allows on one connection; an API server opens another one then. */
    private static final int STREAMS = 4;
    private static final double KIBI = 1024;
    private static final double MEBI = KIBI * KIBI;
    private static final double SECOND = 1e9;
    private static final double MILLI = 1e6;
    private static final int COLLECTIONS = 3;

    private Burst() {
    }

    /** Runs it and says in one line what came of it. */
    static String run(LoadProcess load, int port, int creates) throws IOException {
        Job.Pods pods = new Job.Pods(VARIABLES, 1);
        int connections = (creates + STREAMS - 1) / STREAMS;
        Tally tally = new Tally("burst");
        long before = heapAfterCollection();
        Tally.Used used = Tally.Used.now();
        Job.Outcome outcome = load.run(new Job(port, AdmissionBench.PODS, pods, connections, STREAMS, creates, 0, Job.Start.COLD));
        tally.add(outcome, used, Tally.Used.now());
        String failures = outcome.bad() == 0 ? "none refused or late" : outcome.bad() + " FAILED, the last one with " + outcome.answer();
        return String.format(Locale.ROOT,
                "%nBurst of %,d creates of %.0f KiB over %d new connections: %s; all answered within %.2f s (p50 %.2f s), %.2f ms of server CPU "
                        + "each, handshakes included; heap after a collection %.1f MiB before, %.1f MiB afterwards",
                creates, pods.reviews().getFirst().length / KIBI, connections, failures, outcome.nanos() / SECOND,
                tally.quantile(.5) / SECOND,
                tally.cpu() / MILLI,
                before / MEBI, heapAfterCollection() / MEBI);
    }

    /** Bytes in use when all garbage is gone. */
    private static long heapAfterCollection() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}

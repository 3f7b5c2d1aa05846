package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;

/** FR-63: one client and one Vert.x for everything. What is started once for each reconcile or request would be seen here. */
@OnEveryCluster
final class ThreadsIT {
    private static final int SETS = 25;
    private static final int WARM = 4;
    private static final int ROUNDS = 40;
    /** Pools that grow to their limit when they please. */
    private static final int POOLS = 8;

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;

    @Test
    void aThousandReconcilesStartNoThreads() throws Exception {
        try (RunningCluster running = RunningCluster.start(cluster)) {
            Trial first = running.trial("threads");
            List<Trial> trials = IntStream.range(0, SETS).mapToObj(i -> first.beside("threads-" + i)).toList();
            trials.forEach(t -> t.create(Trial.agent("v0", "{\"type\":\"NotUpdate\"}")));
            reconcile(trials, WARM);
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            int before = threads.getThreadCount();
            long started = threads.getTotalStartedThreadCount();

            reconcile(trials, ROUNDS);

            assertThat(threads.getThreadCount()).isLessThan(before + POOLS);
            assertThat(threads.getTotalStartedThreadCount() - started).isLessThan(SETS * ROUNDS / 10);
        }
    }

    /** Each new generation of a set is reconciled, revision and status included, before its next. */
    private static void reconcile(List<Trial> trials, int rounds) {
        for (int i = 0; i < rounds; i++) {
            String tag = "v" + i;
            trials.forEach(t -> t.roll(tag));
            trials.forEach(Trial::settle);
        }
    }
}

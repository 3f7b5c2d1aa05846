package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.Clusters;
import dev.pillion.it.Eventually;
import dev.pillion.rollout.RolloutOptions.Budget;

/** The controller learns everything but its own writes 3 s late; the limit holds (FR-67, FR-27). Only the sandbox can be so slow. */
final class DelayedWatchIT {
    private static final Duration DELAY = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(4);

    @Test
    void maxUnavailableHoldsAndConflictsAreDecidedAnew() throws Exception {
        try (Cluster cluster = Clusters.delayed(DELAY); RunningCluster running = RunningCluster.start(cluster)) {
            Trial trial = running.trial("late");
            trial.create(Trial.agent("v1", "{\"maxUnavailable\":2}"));
            trial.pods("a", "b", "c", "d", "e", "f");
            trial.node().report("a").notReady().send();
            trial.awaitStatus("6/6/5/5");

            trial.roll("v2");
            // Not yet seen when the set's change is: "a" is ready again, and every other Pod has another version than the view's.
            trial.node().run("a");
            for (String pod : new String[]{"b", "c", "d", "e", "f"}) {
                trial.patch(pod, "{\"metadata\":{\"labels\":{\"touched\":\"yes\"}}}");
            }
            Eventually.until("two Pods are upgraded", () -> trial.updated().size() == 2);
            String gone = trial.updated().iterator().next();
            trial.delete(gone);
            Set<String> left = new TreeSet<>(Set.of("a", "b", "c", "d", "e", "f"));
            left.remove(gone);
            trial.finish(left);

            trial.assertLimitKept(GRACE, Budget.COMPATIBLE);
            assertThat(trial.written()).as("one write for each Pod").hasSize(6).doesNotHaveDuplicates();
        }
    }
}

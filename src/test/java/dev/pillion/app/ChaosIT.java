package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.rollout.RolloutOptions.Budget;

/** Pods that go and controllers that die at random moments. A seed can be given with -Dpillion.seed. */
@OnEveryCluster
final class ChaosIT {
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Random random = new Random(Long.getLong("pillion.seed", 1));

    ChaosIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** FR-27: also before the own write's answer is there, and with finalizers that keep the Pod for a while. */
    @Test
    void podsDeletedInMidUpgradeHoldUpNobody() throws Exception {
        try (RunningCluster running = RunningCluster.start(cluster)) {
            Trial trial = running.trial("mortal");
            trial.create(Trial.agent("v1", "{\"maxUnavailable\":3}"));
            List<String> pods = new ArrayList<>(names(20));
            trial.pods(pods.toArray(String[]::new));
            trial.awaitStatus("20/20/20/20");
            List<String> held = pods.subList(0, 6);
            held.forEach(p -> trial.patch(p, "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}"));
            Set<String> staying = Set.copyOf(pods.subList(18, 20));
            List<String> dying = new ArrayList<>(pods.subList(0, 18));
            Collections.shuffle(dying, random);

            trial.roll("v2");
            for (String pod : dying) {
                if (random.nextInt(3) > 0) {
                    trial.play(_ -> random.nextBoolean());
                }
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(30)).toNanos());
                trial.delete(pod);
            }
            trial.finish(staying);

            trial.awaitStatus("2/2/2/2");
            held.forEach(p -> trial.patch(p, "{\"metadata\":{\"finalizers\":null}}"));
            trial.assertLimitKept(GRACE, Budget.COMPATIBLE);
        }
    }

    /** With the strict budget neither a SIGKILL nor another image in mid-roll-out makes more Pods unavailable than allowed. */
    @Test
    void theStrictLimitSurvivesKillsAndChangesOfTheSet() throws Exception {
        try (RunningCluster running = RunningCluster.start(cluster, "--rollout.budget=strict")) {
            Trial trial = running.trial("strict");
            trial.create(Trial.agent("v1", "{\"maxUnavailable\":2}"));
            List<String> pods = names(10);
            trial.pods(pods.toArray(String[]::new));
            trial.awaitStatus("10/10/10/10");
            running.stopController();

            // Its Lease outlives it by so long.
            try (PillionProcess first = running.process("--rollout.budget=strict", "--lease.duration=5s", "--lease.renew=1s",
                    "--lease.deadline=3s")) {
                running.awaitWebhooks();
                trial.roll("bad");
                Eventually.until("two Pods are upgraded", () -> trial.updated().size() == 2);
                trial.roll("v2");
                Eventually.until("others follow", () -> {
                    trial.play(_ -> random.nextBoolean());
                    return trial.updated().size() >= 4;
                });
                first.kill();
            }
            trial.play(_ -> random.nextBoolean());
            running.goOn("--rollout.budget=strict");
            running.awaitWebhooks();
            trial.roll("v3");
            trial.finish(new TreeSet<>(pods));

            trial.assertLimitKept(GRACE, Budget.STRICT);
            assertThat(trial.verdict().mostUnavailable()).isBetween(1, 2);
        }
    }

    private static List<String> names(int many) {
        return IntStream.range(0, many).mapToObj(i -> "p%02d".formatted(i)).toList();
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;

/** Setting events.not-update-status=frozen: changes of Pods reach no NotUpdate set, as in the reference (events.md 7.2). */
@OnEveryCluster
final class FrozenStatusIT {
    private final Cluster cluster;

    FrozenStatusIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void theStatusOfANotUpdateSetIsAsOfItsLastPod() throws Exception {
        try (RunningCluster running = RunningCluster.start(cluster, "--events.not-update-status=frozen")) {
            Trial frozen = running.trial("frozen");
            frozen.create(Trial.agent("v1", "{\"type\":\"NotUpdate\"}"));
            Trial live = running.trial("live");
            live.create(Trial.agent("v1", "{\"maxUnavailable\":1}"));
            frozen.pods("a");
            live.pods("a");
            live.awaitStatus("1/1/1/1");

            assertThat(frozen.counts()).as("as of the creation, before the Pod was ready").isEqualTo("1/1/0/0");
            frozen.create("b", "{}");
            frozen.awaitStatus("2/2/1/1");
        }
    }
}

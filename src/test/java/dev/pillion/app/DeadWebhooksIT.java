package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;

/** FR-71: a start needs nothing of the own webhooks, even while sets and Pods exist. */
@OnEveryCluster
final class DeadWebhooksIT {
    private final Cluster cluster;

    DeadWebhooksIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The configurations say Fail and lead to a port where nobody listens any more. */
    @Test
    void startsWhileSetsAndPodsExistAndItsOwnWebhooksAreDead() throws Exception {
        try (RunningCluster running = RunningCluster.start(cluster)) {
            Trial trial = running.trial("upgrade");
            trial.create(Trial.agent("v1", "{}"));
            trial.pods("a");
            trial.awaitStatus("1/1/1/1");
            running.stopController();
            assertThat(running.http().post("/api/v1/namespaces/" + trial.namespace() + "/pods", """
                    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"dead","labels":{"app":"upgrade"}},
                     "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"registry.example/app:1"}]}}""")
                    .code())
                    .isEqualTo(500);

            long began = System.nanoTime();
            running.goOnElsewhere();
            System.out.printf("start on %s with dead webhooks: ready after %d ms%n", cluster.name(),
                    (System.nanoTime() - began) / 1_000_000);

            running.awaitWebhooks();
            trial.roll("v2");
            trial.finish("a");
            trial.pods("b");
            trial.awaitStatus("2/2/2/2");
        }
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;

/** FR-09: matching Pods without sidecars show in a metric; setting metrics.per-set-limit. */
@OnEveryCluster
final class SidecarMetricsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LACKING = "pillion_pods_without_sidecar";
    private static final String SET_PODS = "pillion_set_pods";

    private final Cluster cluster;

    SidecarMetricsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, Double> lacking(Replica replica) throws IOException, InterruptedException {
        Map<String, Double> found = new TreeMap<>();
        for (String reason : new String[]{"older-than-set", "webhook-not-reached"}) {
            found.put(reason, replica.metric(LACKING, "reason=\"" + reason + "\""));
        }
        return found;
    }

    private static Map<String, Double> podsOf(Replica replica, String set) throws IOException, InterruptedException {
        Map<String, Double> found = new TreeMap<>();
        String series = SET_PODS + "{sidecarset=\"" + set + "\",state=\"";
        replica.get("/metrics").lines().filter(l -> l.startsWith(series)).forEach(l -> found.put(
                l.substring(series.length(), l.indexOf('"', series.length())), Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1))));
        return found;
    }

    @Test
    void podsThatLackSidecarsAreCountedByReasonAndForSomeSetsOneByOne() throws Exception {
        Scenario.prepare(cluster);
        String own = cluster.newNamespace("own");
        try (Replica replica = Replica.start(cluster.controllerKubeconfig(own), own, "--metrics.per-set-limit=1");
                RunningCluster running = RunningCluster.around(cluster, own)) {
            Trial first = running.trial("a-set");
            Instant created = Instant.parse(first.create("older", "{}").at("/metadata/creationTimestamp").asString());
            Eventually.until("the next second has begun", () -> Instant.now().isAfter(created.plusSeconds(1)));
            first.create(Trial.agent("v1", "{}"));
            first.pods("with", "also");
            first.awaitStatus("2/2/2/2");
            Trial second = running.trial("b-set");
            second.create(Trial.agent("v1", "{}"));
            running.post("/api/v1/namespaces/" + second.namespace() + "/pods", """
                    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"late"},
                     "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"registry.example/app:1"}]}}""");
            second.patch("late", "{\"metadata\":{\"labels\":{\"app\":\"b-set\"}}}");

            Eventually.until("both are counted", PATIENCE, () -> lacking(replica),
                    Map.of("older-than-set", 1.0, "webhook-not-reached", 1.0)::equals);
            Eventually.until("the first set by name has series", PATIENCE, () -> podsOf(replica, "a-set"),
                    Map.of("matched", 2.0, "updated", 2.0, "ready", 2.0, "updated-ready", 2.0, "without-sidecar", 1.0)::equals);
            assertThat(podsOf(replica, "b-set")).as("beyond the limit").isEmpty();

            first.delete("older");
            first.deleteSet();
            Eventually.until("the other set has its series now", PATIENCE, () -> podsOf(replica, "b-set"),
                    Map.of("matched", 0.0, "updated", 0.0, "ready", 0.0, "updated-ready", 0.0, "without-sidecar", 1.0)::equals);
            assertThat(podsOf(replica, "a-set")).as("a set that is gone").isEmpty();
            assertThat(lacking(replica)).isEqualTo(Map.of("older-than-set", 0.0, "webhook-not-reached", 1.0));
        }
    }

    @Test
    void noSetHasSeriesUnlessTheyAreSwitchedOn() throws Exception {
        Scenario.prepare(cluster);
        String own = cluster.newNamespace("own");
        try (Replica replica = Replica.start(cluster.controllerKubeconfig(own), own);
                RunningCluster running = RunningCluster.around(cluster, own)) {
            Trial trial = running.trial("plain");
            trial.create(Trial.agent("v1", "{}"));
            running.post("/api/v1/namespaces/" + trial.namespace() + "/pods", """
                    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"late"},
                     "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"registry.example/app:1"}]}}""");
            trial.patch("late", "{\"metadata\":{\"labels\":{\"app\":\"plain\"}}}");

            Eventually.until("Pods are counted", PATIENCE, () -> replica.metric(LACKING, "reason=\"webhook-not-reached\""), n -> n > 0);
            assertThat(replica.get("/metrics")).doesNotContain(SET_PODS);
        }
    }
}

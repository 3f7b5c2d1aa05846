package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.app.ClusterCommands.Ended;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.node.ObjectNode;

/** status, history and undo beside a running controller. */
@OnEveryCluster
final class HistoryCommandsIT {
    private final Cluster cluster;
    private final ClusterCommands pillion;
    private @Nullable Simulators simulators;
    private @Nullable AutoCloseable controller;

    HistoryCommandsIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
    }

    @BeforeEach
    void start() throws Exception {
        Scenario.prepare(cluster);
        simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(10, 50), Delay.of(50, 100), Delay.of(10, 50)));
        controller = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"));
    }

    @AfterEach
    void stop() throws Exception {
        if (controller != null) {
            controller.close();
        }
        if (simulators != null) {
            simulators.close();
        }
    }

    @Test
    void undoGoesBackToTheOlderRevisionAndItsPodsFollow() throws Exception {
        try (Scenario scenario = new Scenario(cluster, "undone", 3, 2)) {
            Eventually.until("the webhooks take a set", () -> scenario.applySet("v1"), s -> !s.hash().isEmpty());
            scenario.createPods();
            scenario.awaitComplete();
            scenario.awaitStatus();

            Ended tooEarly = pillion.run("undo", "undone");
            assertThat(tooEarly.code()).isEqualTo(1);
            assertThat(tooEarly.err()).contains("undone", "no earlier revision");
            assertThat(pillion.run("status", "undone").ok()).contains("complete: ").contains("3        3        3");

            scenario.applySet("v2");
            scenario.awaitComplete();
            scenario.awaitStatus();
            SidecarSet before = read("undone");
            assertThat(pillion.run("history", "undone").ok()).containsPattern("(?m)^1 +undone-\\S+ +0 .*v1$")
                    .containsPattern("(?m)^2 +undone-\\S+ +3 .*current +log-agent=registry.example/log-agent:v2$");
            assertThat(pillion.run("history", "undone", "--revision=1").ok()).contains("image: registry.example/log-agent:v1",
                    "name: spool");
            assertThat(pillion.run("undo", "undone", "--to-revision=7").err()).contains("no revision 7", "it has 1, 2");
            assertThat(pillion.run("undo", "undone", "--to-revision=2").ok()).contains("is at revision 2", "already");
            assertThat(pillion.run("undo", "undone", "--dry-run").ok()).contains("log-agent:v1", "matchLabels");
            assertThat(read("undone").generation()).isEqualTo(before.generation());

            Ended undone = pillion.run("undo", "undone");

            assertThat(undone.ok()).contains("back at revision 1", "log-agent=registry.example/log-agent:v1");
            scenario.awaitComplete();
            scenario.awaitStatus();
            SidecarSet after = read("undone");
            assertThat(after.containers().getFirst().image()).isEqualTo("registry.example/log-agent:v1");
            assertThat(after.selector()).isEqualTo(before.selector());
            assertThat(after.updateStrategy()).isEqualTo(before.updateStrategy());
            assertThat(scenario.revisions()).as("no revision is made anew").hasSize(2);
            assertThat(pillion.run("history", "undone").ok()).containsPattern("(?m)^3 +undone-\\S+ +3 .*current +.*v1$")
                    .containsPattern("(?m)^2 +undone-\\S+ +0 .*v2$");
            assertThat(pillion.run("status").ok()).containsPattern("(?m)^undone +complete +3 +3 +3 +3 ");
        }
    }

    @Test
    void aRefusedWriteAndAMissingSetEndWithOne() {
        try (KubeClient client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"))) {
            apply(client, "[{\"name\":\"a\",\"image\":\"a:1\"},{\"name\":\"b\",\"image\":\"b:1\"}]");
            awaitRevisions(client, 1);
            apply(client, "[{\"name\":\"a\",\"image\":\"a:1\"}]");
            awaitRevisions(client, 2);

            Ended refused = pillion.run("undo", "shrunk");

            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err()).contains("container \"b\" cannot be added");
            for (String[] command : new String[][]{{"status", "nobody"}, {"history", "nobody"}, {"undo", "nobody"}}) {
                Ended missing = pillion.run(command);
                assertThat(missing.code()).isEqualTo(1);
                assertThat(missing.err()).contains("there is no SidecarSet nobody");
            }
        }
    }

    private void apply(KubeClient client, String containers) {
        Eventually.until("the webhooks take the set", () -> client.objects().apply((ObjectNode) Json.read("""
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"shrunk"},
                 "spec":{"selector":{"matchLabels":{"app":"shrunk"}},"containers":%s}}""".formatted(containers))),
                s -> s.at("/metadata/annotations").has("kruise.io/sidecarset-hash"));
    }

    private static void awaitRevisions(KubeClient client, int wanted) {
        Eventually.until(wanted + " revisions", () -> client.objects().list("apps/v1", "ControllerRevision", "kruise-system").stream()
                .filter(r -> Json.text(r.path("metadata"), "name").startsWith("shrunk-")).count(), n -> n == wanted);
    }

    private SidecarSet read(String name) {
        try (KubeClient client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"))) {
            return client.reads().set(name).orElseThrow();
        }
    }
}

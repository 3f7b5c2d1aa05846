package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.JsonNode;

/** The whole way of a sidecar through real interfaces: the controller has a kubeconfig and nothing else. */
@OnEveryCluster
final class RolloutIT {
    private static final int PODS = 8;

    private final Cluster cluster;
    private @Nullable AutoCloseable simulators;

    RolloutIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void startSimulators() {
        Scenario.prepare(cluster);
        simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(200, 300), Delay.of(300, 500), Delay.of(50, 100)));
    }

    @AfterEach
    void stopSimulators() throws Exception {
        if (simulators != null) {
            simulators.close();
        }
    }

    @Test
    void rollsOutInOneJvm() throws Exception {
        try (Scenario scenario = new Scenario(cluster, "one-jvm", PODS, 2); AutoCloseable _ = inThisJvm()) {
            rollOut(scenario);
            assertUnknownMembersSurvived(scenario);
        }
    }

    @Test
    void rollsOutAsAProcessOfItsOwn() throws Exception {
        try (Scenario scenario = new Scenario(cluster, "own-process", PODS, 2); PillionProcess controller = asProcess()) {
            rollOut(scenario);
            assertThat(controller.terminate()).as("exit code after SIGTERM").isZero();
        }
    }

    @Test
    void aRestartCompletesWhatAKilledControllerBegan() throws Exception {
        try (Scenario scenario = new Scenario(cluster, "killed", PODS, 1)) {
            try (PillionProcess first = asProcess()) {
                begin(scenario);
                scenario.applySet("v2");
                scenario.awaitMiddle();
                first.kill();
            }
            try (PillionProcess _ = asProcess()) {
                scenario.awaitComplete();
                scenario.awaitStatus();
                scenario.assertKeptTheLimit(1);
            }
        }
    }

    private void rollOut(Scenario scenario) {
        begin(scenario);

        scenario.applySet("v2");

        scenario.awaitComplete();
        scenario.awaitStatus();
        scenario.assertKeptTheLimit(1);
        assertThat(scenario.revisions()).as("one revision for each version").hasSize(2);
    }

    private static void begin(Scenario scenario) {
        Eventually.until("the webhooks take a set", () -> scenario.applySet("v1"), s -> !s.hash().isEmpty());
        scenario.createPods();
        scenario.awaitComplete();
    }

    private void assertUnknownMembersSurvived(Scenario scenario) {
        JsonNode control = scenario.controlPod();
        JsonNode pod = scenario.readPod("p0");
        assertThat(pod.path("spec").path("inventedByTheFuture")).isEqualTo(control.path("spec").path("inventedByTheFuture"));
        for (JsonNode wanted : control.path("spec").path("containers")) {
            JsonNode found = container(pod, wanted.path("name").asString());
            List.of("inventedRules", "inventedToo", "env", "image").forEach(m -> assertThat(found.path(m)).as(m).isEqualTo(wanted.path(m)));
        }
        assertThat(pod.path("metadata").path("annotations").path("example.com/kept").asString()).isEqualTo("as it is");
    }

    private static JsonNode container(JsonNode pod, String name) {
        for (JsonNode container : pod.path("spec").path("containers")) {
            if (container.path("name").asString().equals(name)) {
                return container;
            }
        }
        throw new AssertionError("the pod lost its container " + name);
    }

    private AutoCloseable inThisJvm() throws Exception {
        int port = FreePorts.next();
        return Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=https://127.0.0.1:" + port, "--metrics.port=0"));
    }

    private PillionProcess asProcess() {
        int port = FreePorts.next();
        return PillionProcess.start("run", "--kubeconfig", cluster.controllerKubeconfig("kruise-system").toString(),
                "--webhook-url=https://127.0.0.1:" + port,
                "--metrics.port=0");
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;

/** "pillion check" beside a running controller. CheckFaultsIT has the faults. */
@OnEveryCluster
final class CheckIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final ClusterCommands pillion;
    private final KubeClient client;
    private @Nullable AutoCloseable controller;

    CheckIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
    }

    @BeforeEach
    void start() throws Exception {
        Scenario.prepare(cluster);
        controller = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=https://127.0.0.1:" + PillionProcess.freePort(), "--metrics.port=0"));
        Eventually.until("the controller leads", PATIENCE,
                () -> client.objects().get("coordination.k8s.io/v1", "Lease", "kruise-system", "pillion-slot-0"), Optional::isPresent);
    }

    @AfterEach
    void stop() throws Exception {
        if (controller != null) {
            controller.close();
        }
        client.close();
    }

    @Test
    void findsNoErrorInACleanCluster() {
        ClusterCommands.Ended ended = pillion.run("check");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).as(ended.out()).isZero();
        assertThat(ended.out()).contains("0 errors, 0 warnings, ").contains("info webhook-outside: ").contains("info rights-asked: User ");
    }

    @Test
    void aClusterThatDoesNotAnswerIsNoFinding() throws Exception {
        Path nowhere = Files.createTempFile("nowhere", "kubeconfig");
        Files.writeString(nowhere,
                """
                        {"apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                         "users": [{"name": "u", "user": {"token": "none"}}], "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}]}""");

        assertThat(pillion.runAs(nowhere, "check").code()).isEqualTo(69);
    }
}

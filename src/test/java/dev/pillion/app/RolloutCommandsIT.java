package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.app.ClusterCommands.Ended;
import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;

import tools.jackson.databind.node.ObjectNode;

/** plan and rollout on a cluster where no controller runs: they need the API only. */
@OnEveryCluster
final class RolloutCommandsIT {
    private static final String SET = """
            {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"%s"},
             "spec":{"selector":{"matchLabels":{"app":"%s"}},"containers":[{"name":"%s","image":"a:1"}]}}""";

    private final Cluster cluster;
    private final ClusterCommands pillion;
    private final KubeClient client;
    @TempDir
    private Path folder;

    RolloutCommandsIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
    }

    @BeforeEach
    void prepare() {
        Scenario.prepare(cluster);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void apply(String json) {
        client.objects().apply((ObjectNode) Json.read(json));
    }

    private SidecarSet read(String name) {
        return client.reads().set(name).orElseThrow();
    }

    private Ended plan(String text) throws Exception {
        return pillion.run("plan", "-f", Files.writeString(folder.resolve("set.json"), text).toString());
    }

    @Test
    void pausesResumesAndSetsImages() {
        apply(SET.formatted("steered", "steered", "c"));

        assertThat(pillion.run("rollout", "pause", "steered").ok()).contains("is paused now");
        assertThat(pillion.run("rollout", "pause", "steered").ok()).contains("already");
        assertThat(read("steered").updateStrategy().paused()).isTrue();
        assertThat(pillion.run("rollout", "resume", "steered").ok()).contains("not paused now");
        assertThat(read("steered").updateStrategy().paused()).isFalse();
        assertThat(pillion.run("rollout", "set-image", "steered", "c=a:2").ok()).contains("c=a:2");
        assertThat(read("steered").containers().getFirst().image()).isEqualTo("a:2");
        assertThat(pillion.run("rollout", "set-image", "steered", "c=a:2").ok()).contains("already");
        Ended unknown = pillion.run("rollout", "set-image", "steered", "d=a:2");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("no container d", "c=a:2");
        assertThat(pillion.run("rollout", "pause", "nobody").code()).isEqualTo(1);
    }

    @Test
    void plansWithoutWriting() throws Exception {
        apply(SET.formatted("known", "planned", "c"));
        apply(SET.formatted("other", "planned", "taken"));
        String namespace = cluster.newNamespace("planned");
        apply("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"namespace\":\"" + namespace
                + "\",\"labels\":{\"app\":\"planned\"}},\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"a\"}]}}");
        SidecarSet before = read("known");

        Ended refused = plan(SET.formatted("fresh", "planned", "taken"));
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("SidecarSet fresh: new, refused", "container \"taken\" is also in SidecarSet \"other\"");
        assertThat(plan(SET.formatted("fresh", "planned", "free")).ok()).contains("SidecarSet fresh: new, accepted",
                "a new SidecarSet", "1 match, 0 of them carry", "1 pod (" + namespace + "/p) stay without sidecars (webhook-not-reached)");
        assertThat(plan(SET.formatted("known", "planned", "d")).out()).contains("SidecarSet known: update, refused",
                "container \"d\" cannot be added");
        assertThat(plan(SET.formatted("known", "planned", "c").replace("a:1",
                "a:2\",\"resources\":{\"requests\":{\"cpu\":\"50m\",\"memory\":\"1Gi\"},\"limits\":{\"cpu\":\"1\"}},\"x\":\"y")).ok())
                .contains("SidecarSet known: update, accepted", "requests cpu 50m, memory 1Gi; limits cpu 1");
        assertThat(plan(SET.formatted("known", "planned", "c").replace("\"containers\"",
                "\"injectionStrategy\":{\"revision\":{\"revisionName\":\"gone\"}},\"containers\"")).out()).contains("refused", "gone");
        assertThat(read("known").resourceVersion()).isEqualTo(before.resourceVersion());
        assertThat(client.reads().set("fresh")).isEmpty();
    }
}

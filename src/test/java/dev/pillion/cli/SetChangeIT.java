package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.KubeOptions;

import tools.jackson.databind.node.ObjectNode;

/** A write whose version has become old: by the controller's status it goes on, by another user it does not. */
@OnEveryCluster
final class SetChangeIT {
    private final KubeClient client;

    SetChangeIT(Cluster cluster) {
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
    }

    @BeforeEach
    void serveSets() throws IOException {
        for (ObjectNode definition : Manifests.read(Path.of("k8s", "crd", "apps.kruise.io_sidecarsets.yaml"))) {
            definition.withObject("/spec").remove("conversion");
            client.objects().apply(definition);
        }
        Eventually.until("SidecarSets are served", () -> client.objects().list("apps.kruise.io/v1beta1", "SidecarSet", ""),
                _ -> true);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private SidecarSet create(String name) {
        return SidecarSet.of(client.objects().apply((ObjectNode) Json.read("""
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"%s"},
                 "spec":{"selector":{"matchLabels":{"app":"x"}},"containers":[{"name":"c","image":"a:1"}]}}""".formatted(name))));
    }

    private static ObjectNode paused(SidecarSet set) {
        ObjectNode changed = set.raw().deepCopy();
        changed.withObject("/spec/updateStrategy").put("paused", true);
        return changed;
    }

    private void changeElsewhere(String name, String pointer, String member) {
        ObjectNode other = client.reads().set(name).orElseThrow().raw().deepCopy();
        other.withObject(pointer).put(member, "other");
        client.objects().apply(other);
    }

    @Test
    void goesOnWhenOnlyMetadataOrStatusMoved() {
        SidecarSet seen = create("moved");
        AtomicInteger tries = new AtomicInteger();

        SidecarSet written = SetChange.write(client, seen, set -> {
            if (tries.incrementAndGet() < 3) {
                changeElsewhere("moved", "/metadata/labels", "l" + tries.get());
            }
            return paused(set);
        });

        assertThat(written.updateStrategy().paused()).isTrue();
        assertThat(written.labels()).containsKeys("l1", "l2");
        assertThat(tries).hasValue(3);
    }

    @Test
    void givesUpWhenSomeoneChangedTheSpec() {
        SidecarSet seen = create("contested");

        assertThatThrownBy(() -> SetChange.write(client, seen, set -> {
            changeElsewhere("contested", "/spec", "customVersion");
            return paused(set);
        })).isInstanceOfSatisfying(KubeException.class, e -> assertThat(e.isConflict()).isTrue());
        assertThat(client.reads().set("contested").orElseThrow().updateStrategy().paused()).isFalse();
    }
}

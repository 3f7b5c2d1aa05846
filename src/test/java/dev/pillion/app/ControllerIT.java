package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

/** The whole controller against an API server that it knows by a kubeconfig only. */
@OnEveryCluster
final class ControllerIT {
    private static final Path CRD = Path.of("k8s", "crd", "apps.kruise.io_sidecarsets.yaml");
    private static final String API = "apps.kruise.io/v1beta1";

    private final Cluster cluster;
    private final KubernetesClient users;
    private final Simulators simulators;
    private final String url;
    private final String own;
    private AutoCloseable controller;
    private String namespace = "";

    ControllerIT(Cluster cluster) throws Exception {
        this.cluster = cluster;
        this.users = cluster.client();
        if (users.apiextensions().v1().customResourceDefinitions().withName("sidecarsets.apps.kruise.io").get() == null) {
            try (InputStream file = Files.newInputStream(CRD)) {
                users.load(file).create();
            }
        }
        Eventually.until("the API serves SidecarSets",
                () -> users.genericKubernetesResources(API, "SidecarSet").list().getItems().isEmpty());
        SimOptions fast = SimOptions.defaults().withDelays(Delay.of(10, 50), Delay.of(200, 300), Delay.of(10, 50));
        this.simulators = Simulators.start(Optional.of(cluster.kubeconfig()), fast);
        this.url = "https://127.0.0.1:" + FreePorts.next();
        this.own = cluster.newNamespace("own");
        this.controller = start();
    }

    private AutoCloseable start() throws InterruptedException {
        return Main.startController(cluster.controllerKubeconfig(own),
                List.of("--webhook-url=" + url, "--metrics.port=0", "--namespace=" + own));
    }

    @BeforeEach
    void makeNamespace() {
        namespace = cluster.newNamespace("shop");
    }

    @AfterEach
    void close() throws Exception {
        controller.close();
        simulators.close();
        users.close();
    }

    @Test
    void injectsAndRollsInPlaceAlsoAcrossARestart() throws Exception {
        apply("logs", "{\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"containers\":[{\"name\":\"log\",\"image\":\"log:1\"}],"
                + "\"updateStrategy\":{\"type\":\"RollingUpdate\",\"maxUnavailable\":1}}");
        Eventually.until("the controller knows the set", () -> set("logs").get("status", "observedGeneration"), n -> n instanceof Number);
        users.resource(new DeploymentBuilder().withNewMetadata().withNamespace(namespace).withName("web").endMetadata().withNewSpec()
                .withReplicas(5).withNewSelector().addToMatchLabels("app", "web").endSelector().withNewTemplate().withNewMetadata()
                .addToLabels("app", "web").endMetadata().withNewSpec().withAutomountServiceAccountToken(false).addNewContainer()
                .withName("app").withImage("app:1").endContainer().endSpec().endTemplate().endSpec().build()).create();
        List<Pod> before = Eventually.until("5 pods are ready", this::pods,
                pods -> pods.size() == 5 && pods.stream().allMatch(ControllerIT::isReady));
        assertThat(before).allSatisfy(p -> assertThat(images(p)).containsExactlyInAnyOrder("app:1", "log:1"));

        patchImage("log:2");
        Eventually.until("the roll-out has begun", () -> pods().stream().anyMatch(p -> images(p).contains("log:2")));
        controller.close();
        controller = start();

        List<Pod> after = Eventually.until("all pods are updated and ready", this::pods,
                pods -> pods.stream().allMatch(p -> images(p).contains("log:2") && isReady(p)));
        assertThat(after).extracting(p -> p.getMetadata().getUid())
                .containsExactlyInAnyOrderElementsOf(before.stream().map(p -> p.getMetadata().getUid()).toList());
        Eventually.until("the status says so", () -> set("logs").get("status", "updatedReadyPods"), n -> n.equals(5));
    }

    @Test
    void refusesABadSetWithItsCausesAndGoesOn() {
        KubernetesClientException refused = assertThrows(KubernetesClientException.class,
                () -> apply("bad", "{\"containers\":[{\"name\":\"log\",\"image\":\"log:1\"}],"
                        + "\"updateStrategy\":{\"type\":\"RollingUpdate\",\"maxUnavailable\":\"10\"}}"));

        assertThat(refused.getCode()).isEqualTo(422);
        assertThat(refused.getStatus().getDetails().getCauses()).extracting(c -> c.getField()).contains("spec.selector",
                "spec.updateStrategy.maxUnavailable");
        Pod plain = users.resource(new PodBuilder().withNewMetadata().withNamespace(namespace).withGenerateName("plain-").endMetadata()
                .withNewSpec().withAutomountServiceAccountToken(false).addNewContainer().withName("app").withImage("app:1").endContainer()
                .endSpec().build()).create();
        assertThat(images(plain)).containsExactly("app:1");
    }

    private void apply(String name, String spec) {
        users.resource(Serialization.unmarshal("{\"apiVersion\":\"" + API + "\",\"kind\":\"SidecarSet\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":" + spec + "}", GenericKubernetesResource.class)).create();
    }

    private GenericKubernetesResource set(String name) {
        return users.genericKubernetesResources(API, "SidecarSet").withName(name).require();
    }

    private void patchImage(String image) {
        users.genericKubernetesResources(API, "SidecarSet").withName("logs").patch(PatchContext.of(PatchType.JSON),
                "[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"" + image + "\"}]");
    }

    private List<Pod> pods() {
        return users.pods().inNamespace(namespace).list().getItems();
    }

    private static List<String> images(Pod pod) {
        return pod.getSpec().getContainers().stream().map(c -> c.getImage()).toList();
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus() != null && pod.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }
}

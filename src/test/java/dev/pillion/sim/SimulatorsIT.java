package dev.pillion.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sim.SimOptions.Delay;

@OnEveryCluster
final class SimulatorsIT {
    private final Cluster cluster;
    private final KubernetesClient users;
    private final Simulators simulators;
    private String namespace = "";

    SimulatorsIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        SimOptions fast = SimOptions.defaults().withDelays(Delay.of(10, 50), Delay.of(200, 300), Delay.of(10, 50));
        this.simulators = Simulators.start(Optional.of(cluster.kubeconfig()), fast);
    }

    @BeforeEach
    void makeNamespace() {
        namespace = cluster.newNamespace("sim");
    }

    @AfterEach
    void close() {
        simulators.close();
        users.close();
    }

    private void deploy(int replicas) {
        users.resource(new DeploymentBuilder().withNewMetadata().withNamespace(namespace).withName("web").endMetadata().withNewSpec()
                .withReplicas(replicas).withNewSelector().addToMatchLabels("app", "web").endSelector().withNewTemplate().withNewMetadata()
                .addToLabels("app", "web").endMetadata().withNewSpec().withAutomountServiceAccountToken(false).addNewContainer()
                .withName("app").withImage("app:1").endContainer().addNewContainer().withName("log").withImage("log:1").endContainer()
                .endSpec().endTemplate().endSpec().build()).create();
    }

    private List<Pod> pods() {
        return users.pods().inNamespace(namespace).list().getItems();
    }

    private static boolean isReady(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null && "Running".equals(pod.getStatus().getPhase())
                && pod.getStatus().getConditions().stream().anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private List<Pod> awaitReady(int count) {
        return Eventually.until(count + " pods run", this::pods,
                pods -> pods.size() == count && pods.stream().allMatch(SimulatorsIT::isReady));
    }

    private static ContainerStatus log(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream().filter(s -> s.getName().equals("log")).findFirst().orElseThrow();
    }

    private void setLogImage(String pod, String image) {
        users.pods().inNamespace(namespace).withName(pod).patch(PatchContext.of(PatchType.STRATEGIC_MERGE),
                "{\"spec\":{\"containers\":[{\"name\":\"log\",\"image\":\"" + image + "\"}]}}");
    }

    private Pod await(String pod, String what, java.util.function.Predicate<Pod> good) {
        return Eventually.until(what, () -> users.pods().inNamespace(namespace).withName(pod).get(), p -> p != null && good.test(p));
    }

    @Test
    void aDeploymentBecomesRunningPodsOwnedByAReplicaSet() {
        deploy(3);
        List<Pod> pods = awaitReady(3);

        ReplicaSet set = users.apps().replicaSets().inNamespace(namespace).list().getItems().getFirst();
        String hash = set.getMetadata().getLabels().get("pod-template-hash");
        assertThat(set.getMetadata().getName()).isEqualTo("web-" + hash);
        assertThat(pods).allSatisfy(pod -> {
            assertThat(pod.getMetadata().getName()).startsWith(set.getMetadata().getName() + "-");
            assertThat(pod.getMetadata().getLabels()).containsEntry("app", "web").containsEntry("pod-template-hash", hash);
            assertThat(pod.getMetadata().getOwnerReferences()).singleElement()
                    .satisfies(o -> assertThat(o.getUid()).isEqualTo(set.getMetadata().getUid()));
            assertThat(pod.getSpec().getNodeName()).startsWith("node-");
            assertThat(log(pod).getImageID()).isEqualTo(PodLife.imageId("log:1"));
            assertThat(log(pod).getRestartCount()).isZero();
        });
        Deployment deployment = Eventually.until("the status counts",
                () -> users.apps().deployments().inNamespace(namespace).withName("web").get(),
                d -> d.getStatus() != null && Integer.valueOf(3).equals(d.getStatus().getReadyReplicas()));
        assertThat(deployment.getStatus().getUpdatedReplicas()).isEqualTo(3);
    }

    @Test
    void aChangedImageRestartsTheContainerAfterATimeUnready() {
        deploy(1);
        String name = awaitReady(1).getFirst().getMetadata().getName();

        setLogImage(name, "log:2");
        Pod stopped = await(name, "the container is stopped", p -> !isReady(p));
        assertThat(log(stopped).getReady()).isFalse();
        assertThat(log(stopped).getImage()).isEqualTo("log:1");
        Pod again = await(name, "the new container runs", SimulatorsIT::isReady);
        assertThat(log(again).getImage()).isEqualTo("log:2");
        assertThat(log(again).getImageID()).isEqualTo(PodLife.imageId("log:2"));
        assertThat(log(again).getRestartCount()).isEqualTo(1);
    }

    @Test
    void anImageThatCannotBePulledStaysUnreadyUntilCorrected() {
        deploy(1);
        String name = awaitReady(1).getFirst().getMetadata().getName();

        setLogImage(name, "log:bad");
        await(name, "the image is waited for", p -> log(p).getState().getWaiting() != null);
        setLogImage(name, "log:3");
        Pod again = await(name, "the corrected container runs", SimulatorsIT::isReady);
        assertThat(log(again).getImage()).isEqualTo("log:3");
    }

    @Test
    void deletedPodsAreReplacedAndScalingIsFollowed() {
        deploy(2);
        Set<String> first = new HashSet<>();
        awaitReady(2).forEach(p -> first.add(p.getMetadata().getUid()));
        users.pods().inNamespace(namespace).withName(pods().getFirst().getMetadata().getName()).delete();
        Eventually.until("the pod is replaced", () -> awaitReady(2),
                pods -> pods.stream().filter(p -> first.contains(p.getMetadata().getUid())).count() == 1);

        users.apps().deployments().inNamespace(namespace).withName("web").scale(4);
        awaitReady(4);
        users.apps().deployments().inNamespace(namespace).withName("web").scale(1);
        awaitReady(1);
    }

    @Test
    void whatADeletedDeploymentOwnedGoes() {
        deploy(2);
        awaitReady(2);
        users.apps().deployments().inNamespace(namespace).withName("web").delete();

        Eventually.until("its pods and replica sets are gone",
                () -> pods().isEmpty() && users.apps().replicaSets().inNamespace(namespace).list().getItems().isEmpty());
    }

    @Test
    void aContainerWaitsForItsConfigurationAlsoWhenItStartsAgain() {
        users.resource(new PodBuilder().withNewMetadata().withNamespace(namespace).withName("held").endMetadata().withNewSpec()
                .withAutomountServiceAccountToken(false).addNewContainer().withName("app").withImage("app:1").endContainer()
                .addNewContainer().withName("log").withImage("log:1").addNewEnv().withName("E").withNewValueFrom().withNewConfigMapKeyRef()
                .withName("settings").withKey("e").endConfigMapKeyRef().endValueFrom().endEnv().endContainer().endSpec().build()).create();
        await("held", "the container waits", SimulatorsIT::logWaitsForConfiguration);
        var settings = users.configMaps().inNamespace(namespace).resource(
                new ConfigMapBuilder().withNewMetadata().withName("settings").endMetadata().addToData("other", "1").build());
        settings.create();
        users.configMaps().inNamespace(namespace).withName("settings").patch(PatchContext.of(PatchType.JSON_MERGE),
                "{\"data\":{\"e\":\"1\"}}");
        await("held", "it runs", SimulatorsIT::isReady);

        users.configMaps().inNamespace(namespace).withName("settings").delete();
        setLogImage("held", "log:2");
        await("held", "it waits again", SimulatorsIT::logWaitsForConfiguration);
    }

    private static boolean logWaitsForConfiguration(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream().anyMatch(s -> s.getName().equals("log")
                && s.getState().getWaiting() != null && "CreateContainerConfigError".equals(s.getState().getWaiting().getReason()));
    }

    @Test
    void aConfigMapGoesWithThePodThatOwnsIt() {
        Pod pod = users.resource(new PodBuilder().withNewMetadata().withNamespace(namespace).withName("owner").endMetadata().withNewSpec()
                .withAutomountServiceAccountToken(false).addNewContainer().withName("log").withImage("log:1").endContainer().endSpec()
                .build()).create();
        users.resource(new ConfigMapBuilder().withNewMetadata().withNamespace(namespace).withName("owned").addNewOwnerReference()
                .withApiVersion("v1").withKind("Pod").withName("owner").withUid(pod.getMetadata().getUid()).endOwnerReference()
                .endMetadata().build()).create();
        awaitReady(1);
        assertThat(users.configMaps().inNamespace(namespace).withName("owned").get()).isNotNull();

        users.pods().inNamespace(namespace).withName("owner").delete();
        Eventually.until("its ConfigMap is gone", () -> users.configMaps().inNamespace(namespace).withName("owned").get() == null);
    }

    @Test
    void podsWithoutOwnerRunToo() {
        users.resource(new PodBuilder().withNewMetadata().withNamespace(namespace).withName("naked").endMetadata().withNewSpec()
                .withAutomountServiceAccountToken(false).addNewInitContainer().withName("setup").withImage("setup:1").endInitContainer()
                .addNewInitContainer().withName("mesh").withImage("mesh:1").withRestartPolicy("Always").endInitContainer()
                .addNewContainer().withName("log").withImage("log:1").endContainer().endSpec().build()).create();

        Pod pod = awaitReady(1).getFirst();
        assertThat(pod.getStatus().getInitContainerStatuses()).extracting(ContainerStatus::getReady).containsExactly(true, true);
    }
}

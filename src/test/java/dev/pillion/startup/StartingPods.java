package dev.pillion.startup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import dev.pillion.it.Eventually;

/** A user with Pods that start, in one namespace. */
record StartingPods(KubernetesClient users, String namespace) {
    static final String BARRIER = "KRUISE_CONTAINER_BARRIER";
    static final String COMPLETED = "apps.kruise.io/container-launch-priority-completed";

    /** The barrier env as the webhook writes it. */
    static EnvVar barrier(String pod, String key) {
        return new EnvVarBuilder().withName(BARRIER).withNewValueFrom().withNewConfigMapKeyRef().withName(pod + "-barrier").withKey(key)
                .endConfigMapKeyRef().endValueFrom().build();
    }

    /** A container of name `name` with a barrier of each key; `name:image` gives it another image. */
    static ContainerBuilder container(String pod, String nameAndImage, String... keys) {
        String[] parts = nameAndImage.split("=", 2);
        return new ContainerBuilder().withName(parts[0]).withImage(parts.length > 1 ? parts[1] : parts[0] + ":1")
                .withEnv(Arrays.stream(keys).map(key -> barrier(pod, key)).toList());
    }

    Pod create(String name, List<ContainerBuilder> containers, Consumer<PodBuilder> more) {
        PodBuilder pod = new PodBuilder().withNewMetadata().withNamespace(namespace).withName(name).endMetadata().withNewSpec()
                .withTerminationGracePeriodSeconds(0L).withAutomountServiceAccountToken(false)
                .withContainers(containers.stream().map(ContainerBuilder::build).toList()).endSpec();
        more.accept(pod);
        return users.resource(pod.build()).create();
    }

    /** Containers given as name and key, such as "app p_0". */
    Pod ordered(String name, String... containers) {
        List<ContainerBuilder> list = new ArrayList<>();
        for (String text : containers) {
            String[] parts = text.split(" ", 2);
            list.add(container(name, parts[0], parts[1]));
        }
        return create(name, list, _ -> {
        });
    }

    Pod pod(String name) {
        return users.pods().inNamespace(namespace).withName(name).require();
    }

    void delete(String name) {
        users.pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
    }

    Optional<ConfigMap> map(String pod) {
        return Optional.ofNullable(users.configMaps().inNamespace(namespace).withName(pod + "-barrier").get());
    }

    Map<String, String> data(String pod) {
        return new TreeMap<>(map(pod).map(ConfigMap::getData).orElse(Map.of()));
    }

    /** Puts a ConfigMap under the name of a Pod's, with these keys. */
    ConfigMap putMap(String pod, Optional<Pod> owner, String... keys) {
        var map = new ConfigMapBuilder().withNewMetadata().withNamespace(namespace).withName(pod + "-barrier").endMetadata()
                .withData(Arrays.stream(keys).collect(Collectors.toMap(k -> k, _ -> "true")));
        owner.ifPresent(o -> map.editMetadata().addNewOwnerReference().withApiVersion("v1").withKind("Pod")
                .withName(o.getMetadata().getName()).withUid(o.getMetadata().getUid()).endOwnerReference().endMetadata());
        return users.resource(map.build()).create();
    }

    void patch(String pod, String strategicMergePatch) {
        users.pods().inNamespace(namespace).withName(pod).patch(PatchContext.of(PatchType.STRATEGIC_MERGE), strategicMergePatch);
    }

    void patchStatus(String pod, String strategicMergePatch) {
        users.pods().inNamespace(namespace).withName(pod).subresource("status").patch(PatchContext.of(PatchType.STRATEGIC_MERGE),
                strategicMergePatch);
    }

    void setImage(String pod, String container, String image) {
        patch(pod, "{\"spec\":{\"containers\":[{\"name\":\"" + container + "\",\"image\":\"" + image + "\"}]}}");
    }

    Pod await(String pod, String what, Predicate<Pod> good) {
        return Eventually.until(pod + ": " + what, () -> pod(pod), good);
    }

    static boolean isReady(Pod pod) {
        return condition(pod, "Ready").filter(c -> c.getStatus().equals("True")).isPresent();
    }

    static boolean isCompleted(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(COMPLETED));
    }

    static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream().filter(c -> c.getType().equals(type)).findFirst();
    }

    /** Names of the containers that run. */
    static List<String> running(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream().filter(s -> s.getState().getRunning() != null).map(s -> s.getName())
                .sorted().toList();
    }

    static boolean waits(Pod pod, String container, String reason) {
        return pod.getStatus().getContainerStatuses().stream().anyMatch(s -> s.getName().equals(container)
                && s.getState().getWaiting() != null && reason.equals(s.getState().getWaiting().getReason()));
    }
}

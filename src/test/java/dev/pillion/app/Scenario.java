package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.cli.Manifests;
import dev.pillion.demo.AuditLog;
import dev.pillion.demo.Judge;
import dev.pillion.demo.Progress;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods with a log agent in a namespace of their own, seen as a user sees them: through the API, and the audit log. */
final class Scenario implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private final Cluster cluster;
    private final KubeClient client;
    private final String namespace;
    private final String name;
    private final int pods;
    private final int maxUnavailable;

    Scenario(Cluster cluster, String name, int pods, int maxUnavailable) {
        this.cluster = cluster;
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
        this.namespace = cluster.newNamespace(name);
        this.name = name;
        this.pods = pods;
        this.maxUnavailable = maxUnavailable;
    }

    /** What every controller needs before it starts: the definition of SidecarSets, and its own namespace. */
    static void prepare(Cluster cluster) {
        try (KubeClient client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
                InputStream crd = Objects.requireNonNull(Scenario.class.getResourceAsStream("/k8s/crd/apps.kruise.io_sidecarsets.yaml"))) {
            for (ObjectNode definition : Manifests.read(crd, "the CRD")) {
                client.objects().apply(definition);
            }
            client.objects().apply(
                    (ObjectNode) Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"kruise-system\"}}"));
            Eventually.until("SidecarSets are served", () -> client.objects().list("apps.kruise.io/v1beta1", "SidecarSet", ""), _ -> true);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    SidecarSet applySet(String tag) {
        return SidecarSet.of(client.objects()
                .apply((ObjectNode) Json
                        .read("""
                                {"apiVersion": "apps.kruise.io/v1beta1", "kind": "SidecarSet", "metadata": {"name": "%s"},
                                 "spec": {"selector": {"matchLabels": {"app": "%s"}}, "updateStrategy": {"maxUnavailable": %d},
                                  "containers": [{"name": "log-agent", "image": "registry.example/log-agent:%s", "volumeMounts": [{"name": "spool", "mountPath": "/spool"}]}],
                                  "volumes": [{"name": "spool", "emptyDir": {}}]}}"""
                                .formatted(name, name, maxUnavailable, tag))));
    }

    /** Pods of a set that the controller knows: only these are sure to be injected. */
    void createPods() {
        Eventually.until("the controller knows the set", PATIENCE,
                () -> client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", name).orElseThrow(),
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation")));
        for (int i = 0; i < pods; i++) {
            client.objects().apply(pod("p" + i, name));
        }
    }

    /** A pod that no set selects; the server treats it as any other. */
    ObjectNode controlPod() {
        return client.objects().apply(pod("control", "nobody"));
    }

    /** With members that no model class of ours knows. */
    private ObjectNode pod(String podName, String app) {
        return (ObjectNode) Json
                .read("""
                        {"apiVersion": "v1", "kind": "Pod",
                         "metadata": {"name": "%s", "namespace": "%s", "labels": {"app": "%s"}, "annotations": {"example.com/kept": "as it is"}},
                         "spec": {"inventedByTheFuture": {"a": [1, 2]}, "terminationGracePeriodSeconds": 0,
                          "containers": [{"name": "app", "image": "registry.example/app:1", "inventedRules": [{"exitCode": 7}], "env": [{"name": "A", "value": "1"}]},
                                         {"name": "helper", "image": "registry.example/helper:1", "inventedToo": "x"}]}}"""
                        .formatted(podName, namespace, app));
    }

    ObjectNode readPod(String podName) {
        return client.objects().get("v1", "Pod", namespace, podName).orElseThrow();
    }

    Progress look() {
        List<SidecarSet> set = client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", name).map(s -> List.of(SidecarSet.of(s)))
                .orElse(List.of());
        return Progress.of(set, client.objects().list("v1", "Pod", namespace));
    }

    /** Waits until all pods carry the set's present version and are ready. */
    void awaitComplete() {
        Eventually.until(pods + " pods are updated and ready", PATIENCE, this::look, s -> s.pods() == pods && s.isComplete());
    }

    /** Waits until some pods have the new version and others not yet. */
    void awaitMiddle() {
        Eventually.until("the roll-out is in its middle", PATIENCE, this::look, s -> s.sound() >= 2 && s.sound() < pods - 1);
    }

    void awaitStatus() {
        Eventually.until("the status counts all pods", PATIENCE,
                () -> client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", name).orElseThrow().path("status"),
                s -> s.path("matchedPods").asInt() == pods && s.path("updatedPods").asInt() == pods && s.path("readyPods").asInt() == pods
                        && !Json.text(s, "latestRevision").isEmpty());
    }

    Judge.Verdict verdict() {
        return Judge.judge(AuditLog.writes(cluster.auditLines().stream().map(JsonNode::toString)), name, Duration.ofSeconds(2));
    }

    /** The limit held, every pod was written once, and its status at most once. */
    void assertKeptTheLimit(int writesPerPod) {
        Judge.Verdict verdict = Eventually.until("the audit log has all writes", PATIENCE, this::verdict,
                v -> v.podWrites().size() >= pods);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.mostUnavailable()).isBetween(1, maxUnavailable);
        assertThat(verdict.podWrites().values()).as("writes of each pod").allMatch(n -> n <= writesPerPod);
        assertThat(verdict.statusPatches().values()).as("status patches of each pod").allMatch(n -> n <= 1);
    }

    List<ObjectNode> revisions() {
        return client.objects().list("apps/v1", "ControllerRevision", "kruise-system").stream()
                .filter(r -> Json.text(r.path("metadata").path("labels"), "kruise.io/sidecarset-name").equals(name)).toList();
    }

    @Override
    public void close() {
        client.close();
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** "pillion check" finds what was planted, and shows no values. */
@OnEveryCluster
final class CheckFaultsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "t0p-s3cret";
    private static final String CONFIGURATIONS = "admissionregistration.k8s.io/v1";

    private final Cluster cluster;
    private final ClusterCommands pillion;
    private final KubeClient client;
    private final String namespace;
    private @Nullable AutoCloseable controller;

    CheckFaultsIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
        this.namespace = cluster.newNamespace("checked");
    }

    @BeforeEach
    void start() throws Exception {
        Scenario.prepare(cluster);
        controller = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"));
        Eventually.until("the controller leads", PATIENCE,
                () -> client.objects().get("coordination.k8s.io/v1", "Lease", "kruise-system", "pillion-slot-0"), Optional::isPresent);
    }

    @AfterEach
    void stop() throws Exception {
        stopController();
        client.close();
    }

    private void stopController() throws Exception {
        if (controller != null) {
            controller.close();
            controller = null;
        }
    }

    @Test
    void findsWhatWasPlanted() throws Exception {
        plant();
        stopController();
        spoilWebhooks();

        ClusterCommands.Ended ended = pillion.run("check", "--limit=1");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).contains("error webhook-ca: MutatingWebhookConfiguration pillion-mutating-webhook-configuration",
                "warning webhook-ignores-failure: MutatingWebhookConfiguration ", "warning webhook-timeout: MutatingWebhookConfiguration ",
                "error webhook-missing: ValidatingWebhookConfiguration ",
                "error webhook-missing: MutatingWebhookConfiguration ",
                "error second-injector: MutatingWebhookConfiguration kruise-mutating-webhook-configuration",
                "error webhook-dead: MutatingWebhookConfiguration kruise-mutating-webhook-configuration", "error no-controller: Lease ",
                "info other-controller: Lease kruise-manager", "warning set-gone: Pod " + namespace + "/old and 1 more",
                "warning hash-unreadable: Pod " + namespace + "/damaged", "info hash-old-form: Pod " + namespace + "/old",
                "warning terminator: Pod " + namespace + "/job", "warning enhanced-liveness: Pod " + namespace + "/live",
                "warning gate-held: Pod " + namespace + "/held", "is held back by Lifecycle \"preUpdateHook\"",
                "error revision-missing: SidecarSet pinned", "warning terminator: SidecarSet pinned", "error certificate-missing: Secret ",
                "info needs-manager: CloneSet.apps.kruise.io " + namespace + "/clones").doesNotContain(SECRET).doesNotContain("private");
        assertThat(pillion.run("check", "--injection.readiness-gate=off").out())
                .contains("error gate-unserved: Pod " + namespace + "/unset");
    }

    private void plant() {
        apply("""
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"clonesets.apps.kruise.io",
                  "annotations":{"api-approved.kubernetes.io":"unapproved, a test"}},
                 "spec":{"group":"apps.kruise.io","scope":"Namespaced","names":{"kind":"CloneSet","plural":"clonesets","singular":"cloneset","listKind":"CloneSetList"},
                  "versions":[{"name":"v1alpha1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""");
        Eventually.until("clone sets are served", PATIENCE, () -> client.objects().apply((ObjectNode) Json.read(
                "{\"apiVersion\":\"apps.kruise.io/v1alpha1\",\"kind\":\"CloneSet\",\"metadata\":{\"name\":\"clones\",\"namespace\":\""
                        + namespace
                        + "\"}}")),
                o -> true);
        pod("stale", "{\"kruise.io/sidecarset-injected-list\":\"nobody\"}", "", "");
        pod("damaged", "{\"kruise.io/sidecarset-hash\":\"{\"}", "", "");
        pod("old", "{\"kruise.io/sidecarset-hash\":\"{\\\"nobody\\\":\\\"abc\\\"}\"}", "", "");
        pod("job", "{}", "", ",\"env\":[{\"name\":\"KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT\",\"value\":\"" + SECRET + "\"}]");
        pod("live", "{\"apps.kruise.io/using-enhanced-liveness\":\"true\"}", "", "");
        pod("held", "{}", "\"readinessGates\":[{\"conditionType\":\"KruisePodReady\"}],", "");
        JsonNode held = Eventually.until("the gate is served", PATIENCE, () -> client.reads().pod(namespace, "held").orElseThrow(),
                p -> p.path("status").path("conditions").toString().contains("KruisePodReady"));
        hold((ObjectNode) held);
        apply("""
                {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"kruise-manager","namespace":"kruise-system"},
                 "spec":{"holderIdentity":"manager-1","leaseDurationSeconds":3600,"renewTime":"%s"}}"""
                .formatted(Instant.now().toString().replaceAll("\\.\\d+Z", ".000000Z")));
    }

    /** After the controller is gone: it would heal them. */
    private void spoilWebhooks() {
        ObjectNode mutating = client.objects()
                .get(CONFIGURATIONS, "MutatingWebhookConfiguration", "", "pillion-mutating-webhook-configuration")
                .orElseThrow();
        ((ObjectNode) mutating.at("/webhooks/0/clientConfig")).remove("caBundle");
        ((ObjectNode) mutating.at("/webhooks/0")).put("failurePolicy", "Ignore").put("timeoutSeconds", 3);
        ((ArrayNode) mutating.path("webhooks")).remove(1);
        client.objects().apply(mutating);
        try (KubernetesClient admin = cluster.client()) {
            admin.secrets().inNamespace("kruise-system").withName("pillion-webhook-certs").delete();
            admin.admissionRegistration().v1().validatingWebhookConfigurations().withName("pillion-validating-webhook-configuration")
                    .delete();
            admin.leases().inNamespace("kruise-system").withName("pillion-slot-0").delete();
        }
        apply("""
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"pinned"},"spec":{"selector":{"matchLabels":{"app":"none"}},
                 "containers":[{"name":"side","image":"side:1","env":[{"name":"KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT","value":"true"}]}],
                 "injectionStrategy":{"revision":{"customVersion":"nowhere"}}}}""");
        pod("unset", "{}", "\"readinessGates\":[{\"conditionType\":\"KruisePodReady\"}],", "");
        apply("""
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"kruise-mutating-webhook-configuration"},
                 "webhooks":[{"name":"mpod.kb.io","failurePolicy":"Ignore","sideEffects":"None","admissionReviewVersions":["v1"],
                  "namespaceSelector":{"matchLabels":{"nobody":"has-it"}},
                  "clientConfig":{"service":{"namespace":"kruise-system","name":"kruise-webhook-service","path":"/mutate-pod"}},
                  "rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"]}]}]}""");
    }

    private void hold(ObjectNode pod) {
        JsonNode conditions = pod.at("/status/conditions");
        for (JsonNode condition : conditions) {
            if (Json.text(condition, "type").equals("KruisePodReady")) {
                ((ObjectNode) condition).put("status", "False").put("message", "[{\"userAgent\":\"Lifecycle\",\"key\":\"preUpdateHook\"}]");
            }
        }
        try (KubernetesClient admin = cluster.client()) {
            admin.pods().inNamespace(namespace).withName("held").subresource("status").patch(
                    PatchContext.of(PatchType.JSON_MERGE),
                    Json.write(Json.object().set("status", Json.object().set("conditions", conditions))));
        }
    }

    private void pod(String name, String annotations, String spec, String container) {
        apply("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s","annotations":%s},
                 "spec":{"automountServiceAccountToken":false,%s"containers":[{"name":"app","image":"app:1"%s}]}}"""
                .formatted(name, namespace, annotations, spec, container));
    }

    private void apply(String json) {
        client.objects().apply((ObjectNode) Json.read(json));
    }
}

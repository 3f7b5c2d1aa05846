package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.Json;
import dev.pillion.check.Rule;
import dev.pillion.cli.Manual;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.node.ObjectNode;

/** The page on taking over: what "pillion check" prints before and after, names of users and ports apart; and its table has every word. */
@OnEveryCluster
final class TakeOverManualIT {
    private static final Path PAGE = Path.of("src", "docs", "takeover.md");
    private static final String KRUISE = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"%s","metadata":{"name":"%s"},
             "webhooks":[{"name":"%s","failurePolicy":"Fail","sideEffects":"None","admissionReviewVersions":["v1"],
              "objectSelector":{"matchLabels":{"nobody":"has-it"}},
              "clientConfig":{"service":{"namespace":"kruise-system","name":"kruise-webhook-service","path":"%s"}},
              "rules":[{"operations":["CREATE"],"apiGroups":["%s"],"apiVersions":["*"],"resources":["%s"]}]}]}""";

    private final Cluster cluster;
    private final ClusterCommands pillion;

    TakeOverManualIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
    }

    @Test
    void theSessionsPrintWhatThePageSays() throws Exception {
        Manual manual = Manual.read(PAGE);
        Scenario.prepare(cluster);
        List<String> outputs = new ArrayList<>();
        try (KubeClient client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"))) {
            openKruise(client);
            outputs.add(pillion.run("check").out());
            try (KubernetesClient admin = cluster.client()) {
                admin.admissionRegistration().v1().mutatingWebhookConfigurations().withName("kruise-mutating-webhook-configuration")
                        .delete();
                admin.admissionRegistration().v1().validatingWebhookConfigurations().withName("kruise-validating-webhook-configuration")
                        .delete();
                admin.leases().inNamespace("kruise-system").withName("kruise-manager").delete();
            }
            try (AutoCloseable _ = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                    List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"))) {
                outputs.add(Eventually.until("the check finds no errors", Duration.ofSeconds(60), () -> pillion.run("check").out(),
                        out -> out.contains("\n0 errors") || out.startsWith("0 errors")));
            }
        }
        if (Manual.refreshes()) {
            manual.refresh(Manual.Place.CLUSTER, outputs);
            return;
        }
        List<String> printed = manual.steps(Manual.Place.CLUSTER).stream().map(Manual.Step::output).map(TakeOverManualIT::alike).toList();
        assertThat(outputs.stream().map(TakeOverManualIT::alike)).containsExactlyElementsOf(printed);
    }

    @Test
    void everyWordIsExplained() throws Exception {
        String page = Files.readString(PAGE);

        assertThat(Stream.of(Rule.values()).map(Rule::word)).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    }

    private static void openKruise(KubeClient client) {
        Stream.of(
                KRUISE.formatted("MutatingWebhookConfiguration", "kruise-mutating-webhook-configuration", "mpod.kb.io", "/mutate-pod", "",
                        "pods"),
                KRUISE.formatted("ValidatingWebhookConfiguration", "kruise-validating-webhook-configuration", "vsidecarset.kb.io",
                        "/validate-apps-kruise-io-sidecarset", "apps.kruise.io", "sidecarsets"),
                """
                        {"apiVersion":"v1","kind":"Service","metadata":{"name":"kruise-webhook-service","namespace":"kruise-system"},
                         "spec":{"ports":[{"port":443}]}}""",
                """
                        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"kruise-manager","namespace":"kruise-system"},
                         "spec":{"holderIdentity":"kruise-controller-manager-0","leaseDurationSeconds":3600,"renewTime":"%s"}}"""
                        .formatted(Instant.now().toString().replaceAll("\\.\\d+Z", ".000000Z")),
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"}}",
                pod("web-0", "{\"kruise.io/sidecarset-hash\":\"{\\\"logs\\\":\\\"abc\\\"}\"}", ""),
                pod("job-0", "{}", ",\"env\":[{\"name\":\"KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT\",\"value\":\"true\"}]"))
                .forEach(json -> client.objects().apply((ObjectNode) Json.read(json)));
        ObjectNode definition = client.objects()
                .get("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "sidecarsets.apps.kruise.io").orElseThrow();
        ((ObjectNode) definition.at("/spec/conversion/webhook/clientConfig/service")).put("name", "kruise-webhook-service");
        client.objects().apply(definition);
    }

    private static String pod(String name, String annotations, String container) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"shop","annotations":%s},
                 "spec":{"automountServiceAccountToken":false,"containers":[{"name":"app","image":"app:1"%s}]}}"""
                .formatted(name, annotations, container);
    }

    private static String alike(String text) {
        return text.replaceAll("User .*", "User WHO").replaceAll("127\\.0\\.0\\.1:\\d+", "HOST").strip();
    }
}

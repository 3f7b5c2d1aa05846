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

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.node.ObjectNode;

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
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"));
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

    /** The label lets the rights go with the others when the test is over. */
    private void allowReader() {
        for (String object : List.of("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
                 "metadata":{"name":"reader","labels":{"app.kubernetes.io/name":"pillion"}},
                 "rules":[{"apiGroups":["apps.kruise.io"],"resources":["sidecarsets"],"verbs":["get","list"]},
                          {"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}]}""", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
                 "metadata":{"name":"reader","labels":{"app.kubernetes.io/name":"pillion"}},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"reader"},
                 "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"reader"}]}""")) {
            client.objects().apply((ObjectNode) Json.read(object));
        }
    }

    /** The shipped account, of which the reader may not know. */
    private void createAccount() {
        client.objects().apply((ObjectNode) Json.read("""
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"pillion","namespace":"kruise-system"}}"""));
    }

    private static boolean may(KubeClient user, String verb, String group, String resource) {
        ObjectNode review = (ObjectNode) Json.read("""
                {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",
                 "spec":{"resourceAttributes":{"verb":"%s","group":"%s","resource":"%s"}}}""".formatted(verb, group, resource));
        return user.objects().apply(review).path("status").path("allowed").asBoolean(false);
    }

    @Test
    void whoMaySeeLittleIsToldWhatWasNotCheckedAndWhichRightsLack() {
        allowReader();
        createAccount();
        boolean refuses;
        try (KubeClient reader = KubeClient.connect(Optional.of(cluster.readerKubeconfig()),
                KubeOptions.defaults("kruise-system", "test"))) {
            Eventually.until("the reader has his rights", () -> may(reader, "list", "apps.kruise.io", "sidecarsets"));
            refuses = !may(reader, "list", "coordination.k8s.io", "leases");
        }

        ClusterCommands.Ended ended = pillion.runAs(cluster.readerKubeconfig(), "check");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).as(ended.out()).isZero();
        List<String> notChecked = ended.out().lines().filter(l -> l.contains(" not-checked: Check "))
                .map(l -> l.substring(l.indexOf("Check ") + 6)).toList();
        System.out.println("check on " + cluster.name() + " as a user with few rights, not checked: " + notChecked);
        if (refuses) {
            assertThat(notChecked).contains("the CustomResourceDefinition of SidecarSets", "webhook configurations",
                    "the controller's own namespace", "the shared certificate", "Leases of controllers", "rights of the controller",
                    "revisions").doesNotContain("SidecarSets", "Pods");
            assertThat(ended.out()).contains("ask again as a user who may list mutatingwebhookconfigurations",
                    "ask again as a user who may get secrets pillion-webhook-certs in kruise-system",
                    "ask again as a user who may get serviceaccounts in kruise-system and create subjectaccessreviews",
                    "is forbidden: User \"reader\" cannot list").doesNotContain("right-missing");
        } else {
            assertThat(notChecked).isEmpty();
        }
    }
}

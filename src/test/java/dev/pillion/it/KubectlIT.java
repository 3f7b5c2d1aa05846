package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The everyday commands of kubectl on built-in types. */
@OnEveryCluster
final class KubectlIT {
    private final Cluster cluster;
    private final Kubectl kubectl;
    private String namespace = "";

    KubectlIT(Cluster cluster) {
        this.cluster = cluster;
        this.kubectl = cluster.kubectl();
    }

    @BeforeEach
    void makeNamespace() {
        if (!Kubectl.present()) {
            System.out.println("kubectl: SKIPPED, there is none on the PATH");
        }
        assumeTrue(Kubectl.present());
        namespace = cluster.newNamespace("kubectl");
    }

    private String manifest(String image) {
        return Pods.pod("web", "\"namespace\":\"" + namespace + "\",").replace("nginx:1", image);
    }

    private String image() {
        return kubectl.run("-n", namespace, "get", "pod", "web", "-o", "jsonpath={.spec.containers[0].image}").ok();
    }

    @Test
    void appliesTwiceThenPatchesLabelsEditsAndDeletes() {
        assertThat(kubectl.with(manifest("nginx:1"), "apply", "-f", "-").ok()).isEqualToIgnoringWhitespace("pod/web created");
        assertThat(kubectl.with(manifest("nginx:1"), "apply", "-f", "-").ok()).isEqualToIgnoringWhitespace("pod/web unchanged");
        assertThat(kubectl.with(manifest("nginx:2"), "apply", "-f", "-").ok()).isEqualToIgnoringWhitespace("pod/web configured");
        assertThat(image()).isEqualTo("nginx:2");

        kubectl.run("-n", namespace, "patch", "pod", "web", "-p", Pods.images("main=nginx:3")).ok();
        kubectl.run("-n", namespace, "label", "pod", "web", "x=y").ok();
        assertThat(image()).isEqualTo("nginx:3");
        assertThat(kubectl.edit("sed -i s/nginx:3/nginx:4/", "-n", namespace, "pod", "web").ok()).contains("edited");
        assertThat(image()).isEqualTo("nginx:4");

        assertThat(kubectl.run("-n", namespace, "get", "pods", "-l", "x=y", "-o", "name").ok()).isEqualToIgnoringWhitespace("pod/web");
        assertThat(kubectl.run("-n", namespace, "describe", "pod", "web").ok()).contains("nginx:4", "QoS Class:");
        assertThat(kubectl.run("-n", namespace, "delete", "pod", "web").ok()).contains("deleted");
        assertThat(kubectl.run("-n", namespace, "get", "pod", "web").err()).contains("NotFound");
    }

    @Test
    void aRefusedEditSaysWhy() {
        kubectl.with(manifest("nginx:1"), "apply", "-f", "-").ok();

        Kubectl.Answer answer = kubectl.run("-n", namespace, "patch", "pod", "web", "-p",
                "{\"spec\":{\"containers\":[{\"name\":\"side\",\"env\":[{\"name\":\"A\",\"value\":\"2\"}]}]}}");

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err()).contains("pod updates may not change fields other than");
    }

    @Test
    void dryRunsOnTheServer() {
        assertThat(kubectl.with(manifest("nginx:1"), "apply", "--dry-run=server", "-f", "-").ok()).contains("created (server dry run)");
        assertThat(kubectl.run("-n", namespace, "get", "pods", "-o", "name").ok()).isEmpty();
    }

    @Test
    void scalesADeployment() {
        kubectl.with("""
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
                 "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"nginx","image":"nginx:1"}]}}}}""", "-n",
                namespace, "apply", "-f", "-").ok();
        kubectl.run("-n", namespace, "scale", "deployment", "d", "--replicas=3").ok();
        kubectl.run("-n", namespace, "set", "image", "deployment/d", "nginx=nginx:2").ok();

        assertThat(kubectl.run("-n", namespace, "get", "deployment", "d", "-o",
                "jsonpath={.spec.replicas} {.spec.template.spec.containers[0].image} {.metadata.generation}").ok())
                .isEqualTo("3 nginx:2 3");
    }

    @Test
    void watches() throws Exception {
        kubectl.with(manifest("nginx:1"), "apply", "-f", "-").ok();
        Process process = kubectl.start("-n", namespace, "get", "pods", "-w", "-o", "jsonpath={.spec.containers[0].image}{\"\\n\"}");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> lines = new CopyOnWriteArrayList<>();
            Thread thread = Thread.ofVirtual().start(() -> reader.lines().forEach(lines::add));
            Eventually.until("kubectl shows the pod", () -> lines.contains("nginx:1"));
            kubectl.run("-n", namespace, "patch", "pod", "web", "-p", Pods.images("main=nginx:7")).ok();
            Eventually.until("kubectl shows the change", () -> lines.contains("nginx:7"));
            process.destroy();
            thread.join();
        } finally {
            process.destroyForcibly();
        }
    }
}

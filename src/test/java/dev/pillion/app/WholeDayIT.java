package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

/**
 * A whole day with kubectl: install, apply, watch, explain, describe, upgrade, roll back, lose the controller, uninstall without losing a
 * set, install again. The controller is a process with the service account, rights and settings that "apply -k" brought, reached through
 * its Service.
 */
@OnEveryCluster
final class WholeDayIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SET = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: logs}
            spec:
              selector: {matchLabels: {app: web}}
              updateStrategy: {maxUnavailable: 1}
              containers: [{name: agent, image: "registry.example/agent:%s"}]
            """;
    private static final String SHOP = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 4
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  automountServiceAccountToken: false
                  terminationGracePeriodSeconds: 0
                  containers: [{name: app, image: "registry.example/app:1"}]
            """;
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, labels: {app: web}}
            spec:
              automountServiceAccountToken: false
              terminationGracePeriodSeconds: 0
              containers: [{name: app, image: "registry.example/app:1"}]
            """;

    private final Cluster cluster;
    private final Kubectl kubectl;
    private final int port = FreePorts.next();
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final List<String> watched = new CopyOnWriteArrayList<>();
    private String shop = "";
    @TempDir
    private Path folder;

    WholeDayIT(Cluster cluster) {
        this.cluster = cluster;
        this.kubectl = cluster.kubectl();
    }

    @BeforeEach
    void simulateNodes() {
        assumeTrue(Kubectl.present(), "kubectl is not on the PATH");
        running.push(Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(50, 100), Delay.of(200, 300), Delay.of(50, 100))));
        shop = cluster.newNamespace("shop");
    }

    @AfterEach
    void close() throws Exception {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }

    @Test
    void fromInstallToRemovalAndBack() throws Exception {
        PillionProcess first = install();
        firstSidecar();
        upgradeUnderAWatch();
        badImageAndBack();
        PillionProcess second = replaceTheController(first);
        assertThat(kubectl.run("diff", "-k", overlay().toString()).code()).as("what the controller wrote is no difference").isZero();
        uninstall(second);
        String before = pods("{.metadata.uid} {.metadata.resourceVersion}");
        installAgain();
        assertThat(pods("{.metadata.uid} {.metadata.resourceVersion}")).as("no pod was touched").isEqualTo(before);
    }

    /** The base; only where the Service leads to differs, since nothing runs on a node here. */
    private Path overlay() throws IOException {
        Path base = folder.toRealPath().relativize(Install.BASE.toRealPath());
        Files.writeString(folder.resolve("kustomization.yaml"), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources: ["%1$s"]
                replicas: [{name: pillion, count: 0}]
                patches:
                - target: {kind: Service, name: %2$s}
                  patch: |
                    - {op: replace, path: /spec, value: {type: ExternalName, externalName: localhost}}
                - target: {kind: MutatingWebhookConfiguration}
                  patch: |
                    - {op: add, path: /webhooks/0/clientConfig/service/port, value: %3$d}
                    - {op: add, path: /webhooks/1/clientConfig/service/port, value: %3$d}
                - target: {kind: ValidatingWebhookConfiguration}
                  patch: |
                    - {op: add, path: /webhooks/0/clientConfig/service/port, value: %3$d}
                - target: {kind: CustomResourceDefinition}
                  patch: |
                    - {op: add, path: /spec/conversion/webhook/clientConfig/service/port, value: %3$d}
                """.formatted(base, Controller.SERVICE, port));
        return folder;
    }

    private PillionProcess install() throws IOException {
        String applied = kubectl.run("apply", "-k", overlay().toString()).ok();
        assertThat(applied.lines()).hasSize(Install.base().objects().size());
        assertThat(kubectl.run("-n", Install.NAMESPACE, "get", "deployment", "pillion").ok()).contains("0/0");
        PillionProcess controller = startController();
        assertThat(kubectl.run("get", "sidecarsets").err()).contains("No resources found");
        return controller;
    }

    /** With the settings that were installed; only the ports are the test's. */
    private PillionProcess startController() throws IOException {
        Path settings = Files.writeString(folder.resolve("pillion.yaml"),
                kubectl.run("-n", Install.NAMESPACE, "get", "configmap", "pillion-settings", "-o", "jsonpath={.data.pillion\\.yaml}").ok());
        PillionProcess controller = PillionProcess.start("run", "--kubeconfig", cluster.serviceAccountKubeconfig().toString(), "--config",
                settings.toString(), "--admission.port=" + port, "--metrics.port=0");
        running.push(controller);
        controller.awaitOutput("Pillion is ready");
        return controller;
    }

    private void firstSidecar() {
        // A set is written as soon as the API server has heard of the new caBundle.
        Eventually.until("the set is taken", () -> kubectl.with(SET.formatted("1"), "apply", "-f", "-"), a -> a.code() == 0);
        Eventually.until("the controller knows the set", () -> read("sidecarset/logs", "{.status.observedGeneration}"), "1"::equals);
        kubectl.with(SHOP, "apply", "-n", shop, "-f", "-").ok();
        kubectl.run("-n", shop, "rollout", "status", "deployment/web", "--timeout=60s").ok();
        assertThat(pods("{.status.containerStatuses[*].name}").lines()).hasSize(4).allMatch(l -> l.contains("agent") && l.contains("app"));
        awaitCounts("4 4 4");
        assertThat(pillion("explain", "pod", firstPod(), "-n", shop)).contains("logs");
    }

    private void upgradeUnderAWatch() throws IOException {
        Process watch = kubectl.start("get", "sidecarsets", "-w", "--no-headers");
        running.push(watch::destroy);
        Thread.ofVirtual().start(() -> {
            try (BufferedReader lines = watch.inputReader(StandardCharsets.UTF_8)) {
                lines.lines().forEach(watched::add);
            } catch (IOException e) {
                watched.add(e.toString());
            }
        });
        String before = pods("{.metadata.uid}");

        kubectl.with(SET.formatted("2"), "apply", "-f", "-").ok();

        awaitImages("agent:2");
        awaitCounts("4 4 4");
        assertThat(pods("{.metadata.uid}")).as("in place").isEqualTo(before);
        assertThat(pods("{.status.containerStatuses[?(@.name==\"app\")].restartCount}").lines()).as("only the sidecar restarted")
                .allMatch("0"::equals);
        Eventually.until("the watch shows the end of the roll-out", () -> watched, w -> w.getLast().matches("logs +4 +4 +4 .*"));
        assertThat(watched).as("and its middle").anyMatch(l -> l.matches("logs +4 +[0-3] .*"));
        assertThat(pillion("status", "logs")).contains("logs");
    }

    private void badImageAndBack() {
        kubectl.with(SET.formatted("bad"), "apply", "-f", "-").ok();
        Eventually.until("describe tells what it waits for", PATIENCE, () -> kubectl.run("describe", "sidecarset", "logs").ok(),
                text -> text.contains("maxUnavailable allows are not ready"));
        assertThat(pods("{.spec.containers[?(@.name==\"agent\")].image}").lines().filter(l -> l.endsWith(":bad")))
                .as("stopped at its limit")
                .hasSize(1);
        assertThat(pillion("explain", "sidecarset", "logs")).contains("max-unavailable");
        assertThat(kubectl.run("-n", Install.NAMESPACE, "get", "controllerrevisions", "-l", "kruise.io/sidecarset-name=logs", "-o", "name")
                .ok()
                .lines()).hasSize(3);
        assertThat(pillion("history", "logs")).contains("agent");

        pillion("undo", "logs");

        awaitImages("agent:2");
        awaitCounts("4 4 4");
    }

    /** All replicas gone: no pod is made without its sidecars, running ones stay; the next controller goes on. */
    private PillionProcess replaceTheController(PillionProcess old) throws Exception {
        assertThat(old.terminate()).as(old.output()).isZero();
        Kubectl.Answer refused = kubectl.with(POD.formatted("during"), "create", "-n", shop, "-f", "-");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("failed calling webhook", "mpod.kb.io");

        PillionProcess next = startController();

        Eventually.until("pods are made again", () -> kubectl.with(POD.formatted("during"), "create", "-n", shop, "-f", "-"),
                a -> a.code() == 0);
        assertThat(pods("{.spec.containers[*].image}").lines()).hasSize(5).allMatch(l -> l.contains("agent:2"));
        awaitCounts("5 5 5");
        return next;
    }

    /** As the manual says. */
    private void uninstall(PillionProcess controller) throws Exception {
        kubectl.run("delete", "-f", Install.CONTROLLER.resolve("webhooks.yaml").toString()).ok();
        assertThat(controller.terminate()).isZero();
        kubectl.run("delete", "--ignore-not-found", "-k", Install.CONTROLLER.toString()).ok();
        kubectl.run("patch", "crd", "sidecarsets.apps.kruise.io", "--type=merge", "-p",
                "{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}").ok();

        assertThat(kubectl.run("get", "sidecarsets", "-o", "name").ok()).contains("logs");
        assertThat(kubectl.run("get", "sidecarsets.v1alpha1.apps.kruise.io", "-o", "name").ok()).contains("logs");
        assertThat(kubectl.run("-n", Install.NAMESPACE, "get", "controllerrevisions", "-o", "name").ok().lines()).hasSize(3);
        kubectl.with(POD.formatted("bare"), "create", "-n", shop, "-f", "-").ok();
        assertThat(kubectl.run("-n", shop, "get", "pod", "bare", "-o", "jsonpath={.spec.containers[*].name}").ok()).isEqualTo("app");
        kubectl.run("-n", shop, "delete", "pod", "bare").ok();
    }

    private void installAgain() throws Exception {
        Eventually.until("the bare pod is gone", () -> kubectl.run("-n", shop, "get", "pod", "bare").code() == 1);
        String status = read("sidecarset/logs", "{.metadata.resourceVersion} {.status}");
        kubectl.run("apply", "-k", overlay().toString()).ok();
        startController();
        Eventually.until("sets are judged again",
                () -> kubectl.with(SET.formatted("2").replace("web", ""), "apply", "--dry-run=server", "-f",
                        "-"),
                a -> a.code() == 1 && !a.err().contains("failed calling webhook"));
        assertThat(read("sidecarset/logs", "{.metadata.resourceVersion} {.status}")).as("nothing to write").isEqualTo(status);
        kubectl.with(POD.formatted("again"), "create", "-n", shop, "--dry-run=server", "-f", "-").ok();
    }

    private String pillion(String... arguments) {
        return new ClusterCommands(cluster).run(arguments).ok();
    }

    private String read(String object, String path) {
        return kubectl.run("get", object, "-o", "jsonpath=" + path).ok();
    }

    private String firstPod() {
        return pods("{.metadata.name}").lines().findFirst().orElseThrow();
    }

    /** One line for each pod of the shop. */
    private String pods(String path) {
        return kubectl.run("-n", shop, "get", "pods", "-l", "app=web", "-o", "jsonpath={range .items[*]}" + path + "{'\\n'}{end}").ok();
    }

    private void awaitImages(String image) {
        Eventually.until("all pods run " + image, PATIENCE, () -> pods("{.status.containerStatuses[?(@.name==\"agent\")].image}"),
                images -> images.lines().allMatch(l -> l.endsWith(image)));
    }

    /** Matched, updated and ready pods. */
    private void awaitCounts(String counts) {
        Eventually.until("the set counts " + counts, PATIENCE,
                () -> read("sidecarset/logs", "{.status.matchedPods} {.status.updatedPods} {.status.readyPods}"), counts::equals);
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

/** What a user does with kubectl while the controller runs. */
@OnEveryCluster
final class KubectlDemoIT {
    private static final String AGE = "[0-9]+[smh][0-9smh]*";
    private static final String SET = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: %1$s}
            spec:
              selector: {matchLabels: {app: %1$s}}
              updateStrategy: {maxUnavailable: 1}
              containers: [{name: agent, image: "registry.example/agent:%2$s"}]
            """;
    private static final String BAD_SET = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: %s}
            spec:
              %s
              updateStrategy: {maxUnavailable: "%s"}
              containers: [{name: agent, image: "registry.example/agent:1"}]
            """;
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {%2$s labels: {app: %1$s}}
            spec:
              automountServiceAccountToken: false
              terminationGracePeriodSeconds: 0
              containers: [{name: app, image: "registry.example/app:1"}]
            ---
            """;

    private final Cluster cluster;
    private final Kubectl kubectl;
    private final List<AutoCloseable> running = new ArrayList<>();
    private String namespace = "";

    KubectlDemoIT(Cluster cluster) {
        this.cluster = cluster;
        this.kubectl = cluster.kubectl();
    }

    @BeforeEach
    void start() throws Exception {
        boolean present = Kubectl.present();
        if (!present) {
            System.out.println("KubectlDemoIT: SKIPPED, there is no kubectl on the PATH");
        }
        assumeTrue(present);
        Scenario.prepare(cluster);
        running.add(Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(100, 200), Delay.of(400, 600), Delay.of(50, 100))));
        running.addFirst(Main.startController(cluster.controllerKubeconfig("kruise-system"), List.of(
                "--webhook-url=https://127.0.0.1:" + FreePorts.next(),
                "--metrics.port=0", "--status.min-interval=100ms")));
        namespace = cluster.newNamespace("kubectl");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable part : running) {
            part.close();
        }
    }

    @Test
    void aSetFromItsApplyToItsEnd() throws Exception {
        assertThat(apply(SET.formatted("life", "v1"))).contains("sidecarset.apps.kruise.io/life created");
        pods("life", 3);
        awaitRow("life", "life +3 +3 +3 +" + AGE);

        assertThat(apply(SET.formatted("life", "v2"))).contains("life configured");
        awaitImages("registry.example/agent:v2");
        assertThat(kubectl
                .run("patch", "sidecarset", "life", "--type=merge", "-p", "{\"spec\":{\"updateStrategy\":{\"maxUnavailable\":\"50%\"}}}")
                .ok())
                .contains("life patched");
        assertThat(kubectl.run("patch", "sidecarset", "life", "--type=json", "-p",
                "[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"registry.example/agent:v3\"}]").ok())
                .contains("life patched");
        awaitImages("registry.example/agent:v3");
        Kubectl.Answer edited = kubectl.edit("sed -i s/agent:v3/agent:v4/", "sidecarset", "life");
        assertThat(edited.out()).as(edited.err()).contains("life edited");
        awaitImages("registry.example/agent:v4");
        awaitRow("life", "life +3 +3 +3 +" + AGE);
        assertThat(kubectl.run("get", "sidecarset", "life", "-o", "wide").ok().lines().findFirst()).hasValueSatisfying(
                header -> assertThat(header).matches("NAME +MATCHED +UPDATED +READY +AGE *"));

        assertThat(kubectl.run("delete", "sidecarset", "life").ok()).contains("\"life\" deleted");
        assertThat(kubectl.run("get", "sidecarset", "life").code()).isEqualTo(1);
        assertThat(images()).as("sidecars stay").allMatch(i -> i.contains("agent:v4"));
    }

    @Test
    void podsAreShownWithTheirSidecarAndMayBeChangedAndDeleted() throws Exception {
        apply(SET.formatted("shown", "v1"));
        pods("shown", 2);
        assertThat(lines("get", "pods", "-n", namespace, "-o", "wide")).anySatisfy(
                line -> assertThat(line).matches("shown-0 +2/2 +Running +0 +" + AGE + " +[0-9.<>a-z]+ +[a-z0-9-]+ +<none> +<none>"));

        assertThat(kubectl
                .run("patch", "pod", "shown-0", "-n", namespace, "--type=merge", "-p", "{\"metadata\":{\"labels\":{\"tier\":\"x\"}}}").ok())
                .contains("shown-0 patched");
        assertThat(kubectl.run("patch", "pod", "shown-0", "-n", namespace, "--type=json", "-p",
                "[{\"op\":\"add\",\"path\":\"/metadata/annotations/seen\",\"value\":\"yes\"}]").ok()).contains("shown-0 patched");
        Kubectl.Answer edited = kubectl.edit("sed -i 's/tier: x/tier: edited/'", "pod", "shown-0", "-n", namespace);
        assertThat(edited.out()).as(edited.err()).contains("shown-0 edited");
        assertThat(kubectl.run("get", "pods", "-n", namespace, "-l", "tier=edited", "-o", "jsonpath={.items[*].metadata.annotations.seen}")
                .ok())
                .isEqualTo("yes");

        assertThat(kubectl.run("delete", "pod", "shown-1", "-n", namespace).ok()).contains("\"shown-1\" deleted");
        awaitRow("shown", "shown +1 +1 +1 +" + AGE);
    }

    @Test
    void aWatchShowsTheCountsMove() throws Exception {
        apply(SET.formatted("watched", "v1"));
        pods("watched", 4);
        awaitRow("watched", "watched +4 +4 +4 +" + AGE);
        List<String> rows = new CopyOnWriteArrayList<>();
        Process watch = kubectl.start("get", "sidecarset", "watched", "-w");
        Thread.ofVirtual().start(() -> collect(watch, rows));
        try {
            Eventually.until("the watch shows its first row", () -> rows.size() >= 2);

            apply(SET.formatted("watched", "v2"));

            Eventually.until("the watch shows the end of the roll-out", () -> rows,
                    r -> r.stream().anyMatch(row -> row.matches("watched +4 +[0-3] .*"))
                            && r.getLast().matches("watched +4 +4 +4 +" + AGE));
        } finally {
            watch.destroy();
            watch.waitFor();
        }
        List<Integer> updated = rows.stream().skip(2).map(row -> Integer.parseInt(row.split(" +", -1)[2])).dropWhile(n -> n == 4).toList();
        assertThat(updated).as("counts of updated pods in %s", rows).isSorted().endsWith(4).startsWith(updated.getFirst());
        assertThat(updated.stream().distinct().count()).as("steps of the roll-out in %s", rows).isGreaterThan(2);
    }

    @Test
    void aBadSetIsRefusedWithFieldsAndWaysOutAndNotStored() {
        assertRefused("no-selector", BAD_SET.formatted("no-selector", "", "1"), "spec.selector");
        assertRefused("bad-percent", BAD_SET.formatted("bad-percent", "selector: {matchLabels: {app: x}}", "a lot"),
                "spec.updateStrategy.maxUnavailable", "a lot", "%");
        assertRefused("below-zero", BAD_SET.formatted("below-zero", "selector: {matchLabels: {app: x}}", "-5%"),
                "spec.updateStrategy.maxUnavailable", "-5%", "such as 10%");
    }

    @Test
    void aPodWithoutANameGetsAClearAnswer() {
        apply(SET.formatted("nameless", "v1"));

        Kubectl.Answer nameless = kubectl.with(POD.formatted("nameless", ""), "create", "-n", namespace, "-f", "-");
        Kubectl.Answer generated = kubectl.with(POD.formatted("nameless", "generateName: nameless-,"), "create", "-n", namespace, "-f",
                "-");

        assertThat(nameless.code()).isEqualTo(1);
        assertThat(nameless.err()).contains("name or generateName is required");
        assertThat(generated.ok()).contains("pod/nameless-", "created");
        assertThat(images()).singleElement().asString().contains("agent:v1");
    }

    private void assertRefused(String name, String set, String... pieces) {
        Kubectl.Answer refused = kubectl.with(set, "apply", "-f", "-");

        assertThat(refused.code()).as(refused.out()).isEqualTo(1);
        assertThat(refused.err()).contains(pieces);
        assertThat(kubectl.run("get", "sidecarset", name).err()).contains("not found");
    }

    private String apply(String manifest) {
        return kubectl.with(manifest, "apply", "-n", namespace, "-f", "-").ok();
    }

    private void pods(String app, int count) {
        StringBuilder manifest = new StringBuilder();
        for (int i = 0; i < count; i++) {
            manifest.append(POD.formatted(app, "name: " + app + "-" + i + ","));
        }
        Eventually.until("the controller knows the set",
                () -> kubectl.run("get", "sidecarsets", "-o", "jsonpath={.items[*].status.observedGeneration}"),
                known -> !known.out().isBlank());
        apply(manifest.toString());
        Eventually.until(count + " pods run with their sidecar", () -> lines("get", "pods", "-n", namespace, "--no-headers"),
                rows -> rows.size() == count && rows.stream().allMatch(r -> r.matches(app + "-[0-9]+ +2/2 +Running .*")));
    }

    private void awaitRow(String set, String pattern) {
        Eventually.until("the row of " + set + " is " + pattern, () -> lines("get", "sidecarset", set).getLast(),
                row -> row.matches(pattern));
    }

    private void awaitImages(String image) {
        Eventually.until("all pods have " + image + " and are ready", () -> images(), all -> all.stream().allMatch(i -> i.contains(image)));
    }

    /** The images of each pod, as one line for each. */
    private List<String> images() {
        return lines("get", "pods", "-n", namespace, "-o", "jsonpath={range .items[*]}{.spec.containers[*].image}{\"\\n\"}{end}");
    }

    private List<String> lines(String... arguments) {
        return Arrays.stream(kubectl.run(arguments).ok().split("\n")).map(String::stripTrailing).filter(l -> !l.isEmpty()).toList();
    }

    private static void collect(Process process, List<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().map(String::stripTrailing).forEach(lines::add);
        } catch (IOException | UncheckedIOException _) {
            // the process was ended
        }
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.api.Json;
import dev.pillion.cli.Manifests;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;

/** The kustomize base and its components as kubectl installs them. */
@OnEveryCluster
final class InstallIT {
    private static final String BASE = Install.BASE.toString();

    private final Kubectl kubectl;
    @TempDir
    private Path folder;

    InstallIT(Cluster cluster) {
        this.kubectl = cluster.kubectl();
    }

    @BeforeEach
    void namespaceIsThere() {
        assumeTrue(Kubectl.present(), "kubectl is not on the PATH");
        // A dry run stores nothing, so the namespaced objects need theirs first.
        kubectl.run("apply", "-f", Install.BASE.resolve("namespace.yaml").toString()).ok();
    }

    @Test
    void theServerTakesEveryObjectOfTheBase() {
        String answered = kubectl.run("apply", "--dry-run=server", "-k", BASE).ok();

        assertThat(answered.lines()).hasSize(Install.base().objects().size()).allMatch(l -> l.endsWith("(server dry run)"));
    }

    @Test
    void anApplyIsCompleteAndASecondOneChangesNothing() {
        kubectl.run("apply", "-k", BASE).ok();

        Kubectl.Answer difference = kubectl.run("diff", "-k", BASE);
        assertThat(difference.code()).as(difference.out() + difference.err()).isZero();
        String before = versions();
        kubectl.run("apply", "-k", BASE).ok();
        assertThat(versions()).as("kubectl calls some objects configured all the same, for their lists").isEqualTo(before);
        Kubectl.Answer warned = kubectl.run("apply", "--server-side", "--force-conflicts", "-k", BASE);
        assertThat(warned.ok()).isNotEmpty();
        assertThat(warned.err()).as("warnings, such as of deprecated fields").doesNotContain("Warning");
    }

    @Test
    void theMonitorFitsItsSchema() throws IOException {
        kubectl.run("apply", "-f", "src/test/resources/install/servicemonitors.yaml").ok();
        Path overlay = overlay("", "monitoring");

        String answered = Eventually.until("the server knows ServiceMonitors",
                () -> kubectl.run("apply", "--dry-run=server", "-k", overlay.toString()),
                a -> a.code() == 0 || !a.err().contains("no matches for kind")).ok();

        assertThat(answered).contains("servicemonitor.monitoring.coreos.com/pillion created (server dry run)");
    }

    @Test
    void componentsAddAndTakeAway() throws IOException {
        String without = kubectl.run("kustomize", overlay("", "no-launch-priority", "external-certs").toString()).ok();
        assertThat(without).contains("PILLION_INJECTION_LAUNCH_PRIORITY", "PILLION_CERTS_EXTERNAL", "mountPath: /etc/pillion/certs",
                "mountPath: /etc/pillion/settings").doesNotContain("name: pillion-launch-priority", "name: pillion-certificates");
        kubectl.run("apply", "--dry-run=server", "-k", folder.toString()).ok();

        String outside = kubectl.run("apply", "--dry-run=server", "-k", overlay("", "outside").toString()).ok();
        assertThat(outside).contains("clusterrole.rbac.authorization.k8s.io/pillion-outside created");
    }

    @Test
    void theOverlaysOfTheManualDoWhatItSays() throws IOException {
        Install overlay = built("overlay/kustomization.yaml");
        assertThat(overlay.container().path("image").stringValue()).isEqualTo("registry.example/platform/pillion:0.1.0");
        assertThat(overlay.get("Deployment", "pillion").at("/spec/replicas").intValue()).isEqualTo(3);
        assertThat(overlay.all("ServiceMonitor")).hasSize(1);
        assertThat(ConfigReader.read(Map.of(), Map.of(), "the manual",
                overlay.get("ConfigMap", "pillion-settings").at("/data/pillion.yaml").stringValue())).isInstanceOf(Reading.Loaded.class);

        Install elsewhere = built("elsewhere/kustomization.yaml");
        assertThat(elsewhere.webhooks().findFirst().orElseThrow().at("/namespaceSelector/matchExpressions/1/values").toString())
                .isEqualTo("[\"kube-system\",\"kruise-system\",\"sidecars\"]");
        assertThat(elsewhere.objects().stream().filter(o -> !Json.text(o, "kind").equals("MutatingWebhookConfiguration"))
                .map(Json::write).filter(o -> o.contains("kruise-system"))).isEmpty();
    }

    /** A code block of the manual, by its first line. */
    private Install built(String name) throws IOException {
        String manual = Files.readString(Path.of("src", "docs", "install.md"));
        int begin = manual.indexOf("```yaml\n# " + name);
        String block = manual.substring(begin + "```yaml\n".length(), manual.indexOf("```", begin + 3));
        Path k8s = folder.toRealPath().relativize(Install.FOLDER.toRealPath());
        Files.writeString(folder.resolve("kustomization.yaml"), block.replace("../k8s", k8s.toString()));
        return new Install(Manifests.read(new ByteArrayInputStream(kubectl.run("kustomize", folder.toString()).ok()
                .getBytes(StandardCharsets.UTF_8)), name));
    }

    private String versions() {
        return kubectl.run("get", "-k", BASE, "-o",
                "jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{'\\n'}{end}").ok();
    }

    /** A kustomization on top of the base; kustomize takes relative paths only. */
    private Path overlay(String more, String... components) throws IOException {
        Path base = folder.toRealPath().relativize(Install.BASE.toRealPath());
        List<String> lines = Stream.of(components).map(c -> "  - " + base.resolveSibling("components").resolve(c)).toList();
        Files.writeString(folder.resolve("kustomization.yaml"), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources:
                  - %s
                components:
                %s
                %s""".formatted(base, lines.stream().collect(Collectors.joining("\n")), more));
        return folder;
    }
}

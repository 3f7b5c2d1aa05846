package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The demo as the command line runs it. What it says at its end is the audit log's. */
@ResourceLock(Resources.SYSTEM_OUT)
final class DemoIT {
    private static final Path BOUTIQUE = Path.of("..", "shared", "real", "online-boutique.yaml");
    private static final String WORKLOAD = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: mine}
            spec:
              replicas: 4
              selector: {matchLabels: {app: mine}}
              template:
                metadata: {labels: {app: mine}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: app, image: "registry.example/mine:7"}]
            """;
    private static final String SET = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: agent}
            spec:
              selector: %s
              updateStrategy: {maxUnavailable: 2}
              containers: [{name: agent, image: "registry.example/agent:%s"}]
            """;

    @TempDir
    private Path folder;

    private record Ended(int code, String out) {
        String lastLine() {
            return out.lines().toList().getLast();
        }
    }

    @Test
    void rollsTheShopOutAndEnds() {
        Ended ended = demo("--exit");

        assertThat(ended.code()).as(ended.out()).isZero();
        assertThat(ended.lastLine()).matches("roll-out complete: 30/30 pods updated and ready, at most [123] unavailable");
        assertThat(ended.out()).contains("30 writes to 30 pods", "API writes per pod");
    }

    @Test
    void aBadImageStopsAtTheLimitAndTheRightOneHeals() {
        Ended ended = demo("--exit", "--bad-image");

        assertThat(ended.code()).as(ended.out()).isZero();
        assertThat(ended.out()).contains("stopped at the limit: 3 of 30 pods are unavailable", "the image is corrected");
        assertThat(ended.lastLine()).matches("roll-out complete: 30/30 pods updated and ready, at most 3 unavailable");
    }

    @Test
    void takesTheUsersOwnFiles() throws Exception {
        Path set = write("set.yaml", SET.formatted("{matchLabels: {app: mine}}", "1.0"));
        Path workload = write("workload.yaml", WORKLOAD);

        Ended ended = demo("--exit", "--sidecarset", set.toString(), "--manifests", workload.toString());

        assertThat(ended.code()).as(ended.out()).isZero();
        assertThat(ended.lastLine()).matches("roll-out complete: 4/4 pods updated and ready, at most [12] unavailable");
    }

    @Test
    void takesARealShop() throws Exception {
        boolean present = Files.exists(BOUTIQUE);
        if (!present) {
            System.out.println("DemoIT: SKIPPED for the real manifests, " + BOUTIQUE + " is not there");
        }
        assumeTrue(present);
        Path set = write("set.yaml",
                SET.formatted("{matchExpressions: [{key: app, operator: In, values: [frontend, cartservice]}]}", "v1"));

        Ended ended = demo("--exit", "--sidecarset", set.toString(), "--manifests", BOUTIQUE.toString());

        assertThat(ended.code()).as(ended.out()).isZero();
        assertThat(ended.lastLine()).matches("roll-out complete: 2/2 pods updated and ready, at most [12] unavailable");
    }

    @Test
    void filesThatCannotBeUsedAreNamedWithTheReason() throws Exception {
        Path missing = folder.resolve("none.yaml");
        Path broken = write("broken.yaml", "kind: [unclosed");
        Path other = write("other.yaml", WORKLOAD);
        Path empty = write("empty.yaml", "# nothing\n");

        assertRefused(demo("--exit", "--sidecarset", missing.toString()), missing.toString(), "no such file");
        assertRefused(demo("--exit", "--manifests", folder.toString()), folder.toString(), "directory");
        assertRefused(demo("--exit", "--sidecarset", broken.toString()), broken.toString(), "not readable as YAML");
        assertRefused(demo("--exit", "--sidecarset", other.toString()), "Deployment mine is no SidecarSet", "--manifests");
        assertRefused(demo("--exit", "--sidecarset", empty.toString()), "hold no object");
    }

    @Test
    void aSetThatIsRefusedEndsTheDemoWithTheReason() throws Exception {
        Path set = write("set.yaml", SET.formatted("{}", "v1"));

        assertRefused(demo("--exit", "--sidecarset", set.toString()), "SidecarSet \"agent\"", "spec.selector");
    }

    @Test
    void aSetThatMatchesNothingEndsTheDemoWithAQuestion() throws Exception {
        Path set = write("set.yaml", SET.formatted("{matchLabels: {app: nobody}}", "v1"));
        Path workload = write("workload.yaml", WORKLOAD);

        assertRefused(demo("--exit", "--sidecarset", set.toString(), "--manifests", workload.toString()), "no pod got a sidecar",
                "selectors");
    }

    private static void assertRefused(Ended ended, String... pieces) {
        assertThat(ended.code()).as(ended.out()).isEqualTo(1);
        assertThat(ended.lastLine()).contains(pieces);
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Ended demo(String... options) {
        List<String> arguments = new ArrayList<>(List.of("demo", "--kubelet-delay=200"));
        arguments.addAll(List.of(options));
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PrintStream captured = new PrintStream(out, true, StandardCharsets.UTF_8)) {
            System.setOut(captured);
            int code = Main.commands(Map.of()).execute(arguments.toArray(String[]::new));
            return new Ended(code, out.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
        }
    }
}

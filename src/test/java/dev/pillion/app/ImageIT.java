package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.it.Eventually;
import dev.pillion.sandbox.FreePorts;

/**
 * What the container image holds, made by src/main/docker/runtime and run without a container: in an empty folder, without the machine's
 * Java, as a user who may write nowhere but in /tmp.
 */
final class ImageIT {
    private static final Path DISTRIBUTION = Path.of(System.getProperty("pillion.distribution", "target/pillion"));
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path folder;
    private static Path home = Path.of("");

    @BeforeAll
    static void make() throws Exception {
        boolean packaged = Files.isDirectory(DISTRIBUTION);
        if (!packaged) {
            System.out.println("ImageIT: SKIPPED, there is no " + DISTRIBUTION + "; mvn package makes it");
        }
        assumeTrue(packaged);
        home = folder.resolve("opt").resolve("pillion");
        Process script = new ProcessBuilder("sh", "src/main/docker/runtime", DISTRIBUTION.toString(), home.toString())
                .redirectErrorStream(true).start();
        String printed = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).as(printed).isZero();
        System.out.print(printed);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The launcher with nothing around it; root becomes the image's user. */
    private static ProcessBuilder pillion(String jvmOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
            command.addAll(List.of("/usr/bin/setpriv", "--reuid", "65532", "--regid", "65532", "--clear-groups"));
        }
        command.add(home.resolve("bin").resolve("pillion").toString());
        command.addAll(List.of(arguments));
        Path empty = Files.createDirectories(folder.resolve("empty"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(empty.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", home.resolve("runtime").toString());
        builder.environment().put("JDK_JAVA_OPTIONS", jvmOptions);
        return builder;
    }

    private static String ok(ProcessBuilder builder) throws Exception {
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    @Test
    void theRuntimeHasTheNamedModulesAndNotThoseLeftOut() throws Exception {
        String listed = ok(new ProcessBuilder(home.resolve("runtime").resolve("bin").resolve("java").toString(), "--list-modules"));

        List<String> lines = Files.readAllLines(Path.of("src", "main", "docker", "modules"));
        assertThat(listed.lines().map(l -> l.replaceFirst("@.*", "")).toList())
                .containsAll(lines.stream().filter(l -> l.matches("[a-z.]+")).toList())
                .doesNotContainAnyElementsOf(lines.stream().filter(l -> l.startsWith("-")).map(l -> l.substring(1)).toList());
    }

    /** AOTMode=on ends the start when the cache does not fit. */
    @Test
    void theCommandsRunFromTheCache() throws Exception {
        Path set = Files.writeString(folder.resolve("set.yaml"), """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata: {name: agent}
                spec:
                  selector: {matchLabels: {app: web}}
                  containers: [{name: agent, image: "registry.example/agent:1"}]
                """);

        assertThat(ok(pillion("-XX:AOTMode=on", "run", "--help"))).contains("--kubeconfig", "--rollout.budget");
        assertThat(ok(pillion("-XX:AOTMode=on", "validate", "-f", set.toString()))).contains("agent");
    }

    @Test
    void itRunsAsTheControllerAndEndsInOrder() throws Exception {
        try (SandboxProcess sandbox = SandboxProcess.start(Files.createDirectories(folder.resolve("sandbox")))) {
            Scenario.prepare(sandbox);
            Path kubeconfig = Files.copy(sandbox.kubeconfig(), folder.resolve("kubeconfig"));
            List<String> before = files();

            String with = run(kubeconfig, "-XX:AOTMode=on");
            String without = run(kubeconfig, "-XX:AOTMode=off");

            System.out.println("image: ready after " + with + " with the AOT cache, after " + without + " without");
            assertThat(files()).as("the root file system is read-only").isEqualTo(before);
        }
    }

    private static List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> !f.startsWith(folder.resolve("sandbox"))).map(Path::toString).filter(f -> !f.endsWith(".log")).sorted()
                    .toList();
        }
    }

    /** With the memory of the manifests; answers the time until it was ready, and what it had used by then. */
    private static String run(Path kubeconfig, String jvmOption) throws Exception {
        File log = folder.resolve("run.log").toFile();
        long start = System.nanoTime();
        Process process = pillion(jvmOption + " -XX:MaxRAM=1g -XX:MaxRAMPercentage=60", "run", "--kubeconfig", kubeconfig.toString(),
                "--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0").redirectOutput(log).start();
        try {
            Eventually.until("the image's controller is ready", PATIENCE, () -> {
                String printed = Files.readString(log.toPath());
                if (!process.isAlive()) {
                    throw new AssertionError("ended with " + process.exitValue() + ":\n" + printed);
                }
                return printed;
            }, printed -> printed.contains("Pillion is ready"));
            double seconds = (System.nanoTime() - start) / 1e9;
            Optional<Duration> cpu = process.info().totalCpuDuration();
            String figures = "%.1f s (%.1f s of CPU, %s)".formatted(seconds, cpu.orElse(Duration.ZERO).toMillis() / 1e3, memory(process));
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ends at SIGTERM").isTrue();
            assertThat(process.exitValue()).as(Files.readString(log.toPath())).isZero();
            return figures;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String memory(Process process) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        return Files.exists(status)
                ? Files.readAllLines(status).stream().filter(l -> l.startsWith("VmRSS")).map(l -> l.replaceAll("\\s+", " ")).findFirst()
                        .orElse("")
                : "memory unknown";
    }
}

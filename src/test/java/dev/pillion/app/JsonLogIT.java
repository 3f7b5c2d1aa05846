package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.api.Json;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;

/** Setting log.format: json. Each line of a controller is one JSON object, from its start to its end. */
final class JsonLogIT {
    @TempDir
    private Path folder;

    /** Of a cluster that nobody can reach. */
    private String kubeconfig() throws Exception {
        return Files.writeString(folder.resolve("kubeconfig"),
                """
                        {"apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                         "users": [{"name": "u", "user": {"token": "none"}}], "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}]}""")
                .toString();
    }

    private static List<JsonNode> objects(PillionProcess process) {
        List<JsonNode> lines = process.output().lines().map(line -> Json.tryRead(line).orElseThrow(() -> new AssertionError(line)))
                .toList();
        assertThat(lines).isNotEmpty().allMatch(l -> l.isObject() && l.path("message").isString() && l.path("level").isString()
                && l.path("timestamp").isIntegralNumber());
        return lines;
    }

    private static JsonNode saying(String message, List<JsonNode> lines) {
        return lines.stream().filter(l -> Json.text(l, "message").equals(message)).findFirst()
                .orElseThrow(() -> new AssertionError("nobody said \"" + message + "\": " + lines));
    }

    private PillionProcess controller(int metricsPort) throws Exception {
        return PillionProcess.start("run", "--kubeconfig", kubeconfig(), "--webhook-url=https://127.0.0.1:" + FreePorts.next(),
                "--metrics.port=" + metricsPort, "--log.format=json");
    }

    @Test
    void startFailuresAndTheStopAreObjects() throws Exception {
        try (PillionProcess process = controller(0)) {
            process.awaitOutput("watch failed");
            assertThat(process.terminate()).isZero();

            List<JsonNode> lines = objects(process);
            JsonNode failure = saying("watch failed", lines);
            assertThat(Json.text(failure, "level")).isEqualTo("WARN");
            assertThat(failure.path("kvpList").valueStream().flatMap(kv -> kv.propertyNames().stream())).contains("kind", "reason");
            saying("Management endpoint is up", lines);
            saying("Pillion has stopped", lines);
        }
    }

    @Test
    void aStartThatFailsSaysWhyInAnObject() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"));
                PillionProcess process = controller(taken.getLocalPort())) {
            assertThat(process.awaitEnd()).isEqualTo(1);

            assertThat(saying("Pillion does not start", objects(process)).path("kvpList").toString()).contains("management does not start");
        }
    }

    @Test
    void aStackTraceIsPartOfItsObject() throws Exception {
        try (PillionProcess process = PillionProcess.startMain(LogSample.class)) {
            assertThat(process.awaitEnd()).isZero();

            List<JsonNode> lines = objects(process);
            assertThat(lines).hasSize(2);
            JsonNode broke = saying("It broke\nin two", lines);
            assertThat(broke.path("throwable").toString()).contains("two\\nlines", "LogSample.java", "IOException");
            assertThat(saying("A thread ended with an exception", lines).path("throwable").toString()).contains("nobody caught it");
        }
    }
}

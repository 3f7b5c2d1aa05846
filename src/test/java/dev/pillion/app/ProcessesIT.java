package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.demo.AuditLog;
import dev.pillion.demo.Judge;
import dev.pillion.it.Eventually;
import dev.pillion.sandbox.FreePorts;

/** Sandbox, simulators and controller as three processes that share a kubeconfig and nothing else. */
final class ProcessesIT {
    private static final int PODS = 6;
    private static final int MAX_UNAVAILABLE = 2;

    @TempDir
    private Path folder;

    @Test
    void threeProcessesRollOutAndEndInOrder() throws Exception {
        try (SandboxProcess sandbox = SandboxProcess.start(folder)) {
            Scenario.prepare(sandbox);
            String kubeconfig = sandbox.kubeconfig().toString();
            try (PillionProcess simulators = PillionProcess.start("sim", "--kubeconfig", kubeconfig);
                    PillionProcess controller = PillionProcess.start("run", "--kubeconfig", kubeconfig, "--webhook-url",
                            "https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0");
                    Scenario scenario = new Scenario(sandbox, "processes", PODS, MAX_UNAVAILABLE)) {
                simulators.awaitOutput("simulators run");
                controller.awaitOutput("Pillion is ready");

                rollOut(scenario);

                assertThat(controller.terminate()).as("exit code of the controller: %s", controller.output()).isZero();
                assertThat(simulators.terminate()).as("exit code of the simulators: %s", simulators.output()).isZero();
                assertThat(controller.output()).contains("Pillion has stopped").doesNotContain("did not stop in order", "ERROR");
            }
            assertThat(sandbox.terminate()).as("exit code of the sandbox").isZero();
        }
        assertAuditFileShowsTheLimitKept();
    }

    private static void rollOut(Scenario scenario) {
        Eventually.until("the webhooks take a set", () -> scenario.applySet("v1"), s -> !s.hash().isEmpty());
        scenario.createPods();
        scenario.awaitComplete();
        scenario.applySet("v2");
        scenario.awaitComplete();
        scenario.awaitStatus();
        scenario.assertKeptTheLimit(1);
    }

    /** The file is whole after the sandbox has ended: everything the judge needs is in it. */
    private void assertAuditFileShowsTheLimitKept() throws Exception {
        try (Stream<String> lines = Files.lines(folder.resolve("audit.log"))) {
            Judge.Verdict verdict = Judge.judge(AuditLog.writes(lines), "processes", Duration.ofSeconds(2));
            assertThat(verdict.violations()).isEmpty();
            assertThat(verdict.mostUnavailable()).isBetween(1, MAX_UNAVAILABLE);
            assertThat(verdict.podWrites()).hasSize(PODS);
        }
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;

/** The demo without --exit: it goes on as a cluster for kubectl until it is told to stop. */
final class ServingDemoIT {
    private static final Pattern KUBECONFIG = Pattern.compile("export KUBECONFIG=(\\S+)");

    @Test
    void kubectlWorksAgainstTheRunningDemo() throws Exception {
        boolean present = Kubectl.present();
        if (!present) {
            System.out.println("ServingDemoIT: SKIPPED, there is no kubectl on the PATH");
        }
        assumeTrue(present);
        try (PillionProcess demo = PillionProcess.start("demo", "--kubelet-delay=200")) {
            demo.awaitOutput("end with Ctrl-C");
            Matcher found = KUBECONFIG.matcher(demo.output());
            assertThat(found.find()).as(demo.output()).isTrue();
            Path kubeconfig = Path.of(found.group(1));
            Kubectl kubectl = new Kubectl(kubeconfig);

            awaitCounts(kubectl);
            assertThat(kubectl.run("get", "pods", "-n", "shop", "--no-headers").ok().lines()).hasSize(30)
                    .allMatch(row -> row.contains("Running"));
            assertThat(kubectl.run("patch", "sidecarset", "log-agent", "--type=json", "-p",
                    "[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"registry.example/agents/log-agent:v3\"}]").ok())
                    .contains("patched");
            awaitImage(kubectl, "log-agent:v3");
            assertThat(kubectl.run("delete", "pods", "-n", "shop", "-l", "app=storefront").ok()).contains("deleted");
            awaitCounts(kubectl);
            awaitImage(kubectl, "log-agent:v3");

            assertThat(demo.terminate()).as("exit code after SIGTERM: %s", demo.output()).isZero();
            assertThat(kubeconfig).doesNotExist();
            assertThat(demo.output()).doesNotContain("Exception");
        }
    }

    @Test
    void aSignalInTheMiddleEndsItWithAReason() throws Exception {
        try (PillionProcess demo = PillionProcess.start("demo", "--kubelet-delay=2000")) {
            demo.awaitOutput("the image changes");

            assertThat(demo.terminate()).as(demo.output()).isEqualTo(1);

            assertThat(demo.output()).contains("stopped by a signal before the end").doesNotContain("Exception");
        }
    }

    private static void awaitCounts(Kubectl kubectl) {
        Eventually.until("the set counts 30 pods", () -> kubectl.run("get", "sidecarset", "log-agent", "--no-headers").ok(),
                row -> row.matches("log-agent +30 +30 +30 +\\S+\\s*"));
    }

    private static void awaitImage(Kubectl kubectl, String image) {
        Eventually.until("all pods run " + image,
                () -> kubectl.run("get", "pods", "-n", "shop", "-o", "jsonpath={range .items[*]}{.spec.containers[*].image}{\"\\n\"}{end}")
                        .ok().lines().toList(),
                all -> all.size() == 30 && all.stream().allMatch(i -> i.contains(image)));
    }
}

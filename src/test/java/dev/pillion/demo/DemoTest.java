package dev.pillion.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

/** What the demo does around the controller; its whole run is DemoIT's. */
final class DemoTest {
    private static final DemoOptions OPTIONS = new DemoOptions(DemoOptions.End.EXIT, DemoOptions.Image.GOOD, List.of(), List.of(),
            Duration.ofMillis(100),
            Duration.ofSeconds(30));

    @Test
    void aControllerThatDoesNotStartEndsItWithTheReason() throws Exception {
        List<Path> kubeconfigs = new ArrayList<>();
        ControllerStarter failing = (kubeconfig, settings) -> {
            assertThat(kubeconfig).isRegularFile();
            assertThat(settings).anyMatch(s -> s.startsWith("--webhook-url=https://127.0.0.1:"));
            kubeconfigs.add(kubeconfig);
            throw new IllegalStateException("the controller is not ready after 120 s: [watch]");
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int code = new Demo(OPTIONS, failing, new PrintStream(out, true, StandardCharsets.UTF_8)).run();

        assertThat(code).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).last().isEqualTo("demo: the controller is not ready after 120 s: [watch]");
        assertThat(kubeconfigs).singleElement().satisfies(k -> assertThat(Files.exists(k)).isFalse());
    }
}

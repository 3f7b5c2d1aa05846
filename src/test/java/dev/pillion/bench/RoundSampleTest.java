package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.pillion.bench.CallCost.Effort;

import picocli.CommandLine;

/** A round costs by what changed. Memory tells, and it does not depend on the machine. */
final class RoundSampleTest {
    private static final Effort SHORT = new Effort(Duration.ofMillis(50), Duration.ofMillis(10), 3);

    @Test
    void takesAsManyPodsAsAllowed() {
        assertThat(RoundSample.plain(100).round().decisions()).hasSize(20);
        assertThat(RoundSample.scattered(100, 25).round().decisions()).hasSize(20);
    }

    @Test
    void printsARowForEachMeasurement() {
        StringWriter out = new StringWriter();
        CommandLine command = BenchCommand.of((_, _) -> {
            throw new AssertionError("no controller is needed");
        }, Map.of()).setOut(new PrintWriter(out));

        int code = command.execute("round", "--warm-up=1", "--round=1", "--pods=40,80", "--values=25");

        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(l -> l.matches("\\| .* \\| [0-9.]+ µs \\| [0-9.]+ KiB \\|"))).hasSize(5);
    }

    @Test
    void aRoundDoesNotGrowWithThePods() {
        RoundSample few = RoundSample.plain(1_000);
        RoundSample many = RoundSample.plain(16_000);

        long small = CallCost.of(few::round, SHORT).bytes();
        long large = CallCost.of(many::round, SHORT).bytes();

        assertThat(large).isBetween(small / 2, small + small / 5);
    }
}

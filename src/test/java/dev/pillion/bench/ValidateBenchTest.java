package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.pillion.bench.CallCost.Effort;
import dev.pillion.match.SetIndex;

import picocli.CommandLine;
import tools.jackson.databind.node.ObjectNode;

/** That the benchmark measures what it says; counts may fail a build, times never do. */
final class ValidateBenchTest {
    private static final Effort SHORT = new Effort(Duration.ofMillis(50), Duration.ofMillis(10), 3);

    @Test
    void printsARowForEachMeasurement() {
        StringWriter out = new StringWriter();
        CommandLine command = bench().setOut(new PrintWriter(out));

        int code = command.execute("validate", "--warm-up=1", "--round=1", "--rounds=1", "--sets=5,10");

        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(l -> l.matches("\\| .* \\| [0-9.]+ µs \\| [0-9.]+ KiB \\|"))).hasSize(9);
    }

    @Test
    void asksWhatToMeasure() {
        StringWriter err = new StringWriter();

        int code = bench().setErr(new PrintWriter(err)).execute();

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("name what to measure: validate, admission, round, rollout, memory, events\n");
    }

    private static CommandLine bench() {
        return BenchCommand.of((_, _) -> {
            throw new AssertionError("no controller is needed");
        }, Map.of());
    }

    /** FR-56 for writes: the conflict check costs by candidates, not by sets. Memory tells, and it does not depend on the machine. */
    @Test
    void theConflictCheckDoesNotGrowWithTheSets() {
        ObjectNode set = SampleSets.defaulted(SampleSets.tenContainers());
        SetIndex few = SampleSets.cluster(10);
        SetIndex many = SampleSets.cluster(3000);

        long small = CallCost.of(() -> ValidateBench.validate(set, few), SHORT).bytes();
        long large = CallCost.of(() -> ValidateBench.validate(set, many), SHORT).bytes();

        assertThat(large).isBetween(small / 2, small + small / 10);
    }
}

package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

/** That the benchmark runs from end to end, and that a restart writes nothing (FR-55). */
final class MemoryBenchIT {
    @Test
    void aRestartWithNothingNewWritesNothing() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = BenchCommand.of((_, _) -> {
            throw new AssertionError("the controller is a process of its own");
        }, Map.of()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        int code = command.execute("memory", "--pods=60", "--sets=6");

        assertThat(code).as(out + "\n" + err).isZero();
        assertThat(out.toString()).contains("| restart: writes of sets, Pods and revisions | 0 |");
        assertThat(err.toString()).as("each set gets its revision and its first status").contains(", 12 writes\n");
    }
}

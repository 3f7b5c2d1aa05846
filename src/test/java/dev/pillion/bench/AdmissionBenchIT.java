package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import picocli.CommandLine;

/** That the benchmark of admission measures what it says, with its second process. */
@Timeout(120)
final class AdmissionBenchIT {
    @Test
    void printsARowForEachKindOfRequestAndTheBurst() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = BenchCommand.of((_, _) -> {
            throw new AssertionError("no controller is needed");
        }, Map.of()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        int code = command.execute("admission", "--warm-up=20", "--requests=20", "--rounds=1", "--sets=1,5", "--burst=20");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(
                out.toString().lines()
                        .filter(l -> l.matches("\\| .* \\| [0-9,]+ \\|( [0-9.]+ ms \\|){3} [0-9]+ µs \\| [0-9.]+ µs \\| [0-9.]+ KiB \\|")))
                .hasSize(6);
        assertThat(out.toString()).contains("| echo |", "| 1 sets, 1 of them inject |", "| 5 sets, 3 of them inject |",
                "times the echo's", "Burst of 20 creates of 50 KiB over 5 new connections: none refused or late");
    }
}

package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

/** That the benchmark runs from end to end, with every review answered and no event lost; its figures are none, so short a burst is all start-up. */
final class EventsBenchIT {
    @Test
    void measuresReviewsWithAndWithoutEvents() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = BenchCommand.of((_, _) -> {
            throw new AssertionError("the controller is a process of its own");
        }, Map.of()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        int code = command.execute("events", "--events=130", "--pods=100", "--sets=10", "--rounds=1", "--warm-up=50");

        assertThat(code).as(out + "\n" + err).isZero();
        assertThat(out.toString().lines().filter(l -> l.matches("\\| .* \\| [0-9,]+ \\|( [0-9.]+ ms \\|){3}"))).hasSize(4);
        assertThat(out.toString()).contains("| admission, no events |", "| admission, events |", "| echo, no events |",
                "| echo, events |", "admission, events: p99 ", "130 events of Pods and 6 of sets",
                "Sets whose status does not count what is stored: 0");
    }
}

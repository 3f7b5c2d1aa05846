package dev.pillion.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

/** That the benchmark runs from end to end and measures what it says; its figures are none, so small a roll-out is all start-up. */
final class RolloutBenchIT {
    private static final int PODS = 12;

    @Test
    void measuresARollOutOnTheSandbox() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = BenchCommand.of((_, _) -> {
            throw new AssertionError("the controller is a process of its own");
        }, Map.of()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        int code = command.execute("rollout", "--server=sandbox", "--pods=" + PODS, "--at-once=3,50%", "--warm-up=0", "--kubelet=50");

        assertThat(code).as(out + "\n" + err).isZero();
        List<List<String>> rows = out.toString().lines().filter(l -> l.startsWith("| " + PODS)).map(RolloutBenchIT::cells).toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).subList(0, 2)).containsExactly("" + PODS, "3");
        assertThat(rows.get(1).subList(0, 2)).containsExactly("" + PODS, "50%");
        assertThat(rows.get(0).get(16)).as("most unavailable at 3 at once").isIn("1", "2", "3");
        assertThat(rows.get(1).get(16)).as("most unavailable at 50%").isIn("1", "2", "3", "4", "5", "6");
        assertThat(number(rows.get(0).get(14))).as("writes of a first upgrade: Pod and condition").isGreaterThanOrEqualTo(2.0);
        assertThat(number(rows.get(1).get(14))).as("writes for a later upgrade: the Pod").isGreaterThanOrEqualTo(1.0);
        assertThat(rows).allSatisfy(row -> assertThat(number(row.get(9).replace(" ms", ""))).as("CPU").isPositive());
        assertThat(rows).allSatisfy(row -> assertThat(number(row.get(6).replace(" ms", ""))).as("CPU of all processes")
                .isGreaterThanOrEqualTo(number(row.get(9).replace(" ms", ""))));
        assertThat(rows).allSatisfy(row -> assertThat(number(row.get(7).replace(" ms", ""))).as("CPU of the server").isPositive());
        assertThat(rows).allSatisfy(row -> assertThat(number(row.get(8).replace(" ms", ""))).as("CPU of kubelet and judge").isPositive());
        assertThat(number(rows.get(0).get(4))).as("of the client that keeps 3 at once").isPositive();
        assertThat(rows.get(1).get(4)).as("there is none for percentages").isEqualTo("-");
    }

    private static List<String> cells(String line) {
        return List.of(line.substring(2, line.length() - 2).split(" \\| ", -1));
    }

    private static double number(String cell) {
        return Double.parseDouble(cell);
    }
}

package dev.pillion.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import dev.pillion.bench.CallCost.Effort;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pillion bench round}: what one step of a roll-out takes to decide, by the number of Pods, without any cluster. */
@Command(name = "round", mixinStandardHelpOptions = true, description = "CPU and memory of deciding the next step after one Pod has changed, at 20 at once; then with scatter over many values.")
final class RoundBench implements Callable<Integer> {
    private static final int ROUNDS = 5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--warm-up", paramLabel = "MILLIS", defaultValue = "2000", description = "CPU time before each measurement, in ms (default: ${DEFAULT-VALUE}).")
    private int warmUpMillis;

    @Option(names = "--round", paramLabel = "MILLIS", defaultValue = "300", description = "CPU time of one of five rounds, in ms (default: ${DEFAULT-VALUE}).")
    private int roundMillis;

    @Option(names = "--pods", paramLabel = "N", split = ",", defaultValue = "1000,4000,16000", description = "Numbers of Pods (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Option(names = "--values", paramLabel = "N", defaultValue = "4000", description = "Distinct values of the scatter label; then one, two and four Pods have each (default: ${DEFAULT-VALUE}).")
    private int values;

    @Override
    public Integer call() {
        Effort effort = new Effort(Duration.ofMillis(warmUpMillis), Duration.ofMillis(roundMillis), ROUNDS);
        PrintWriter out = spec.commandLine().getOut();
        out.println(Machine.describe());
        out.println("| What | CPU per round | Allocated per round |");
        out.println("|---|---|---|");
        for (int size : sizes) {
            RoundSample sample = RoundSample.plain(size);
            out.println(CallCost.of(sample::round, effort).row(String.format(Locale.ROOT, "%,d Pods wait", size)));
            out.flush();
        }
        for (int each : List.of(1, 2, 4)) {
            RoundSample sample = RoundSample.scattered(each * values, values);
            out.println(CallCost.of(sample::round, effort)
                    .row(String.format(Locale.ROOT, "%,d Pods wait, scatter * over %,d values", each * values, values)));
            out.flush();
        }
        return 0;
    }
}

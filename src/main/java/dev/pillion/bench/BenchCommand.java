package dev.pillion.bench;

import java.util.Map;

import dev.pillion.demo.ControllerStarter;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code pillion bench}: the figures of src/docs/performance.md, made anew. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Measures what the documentation claims.", subcommands = {
        ValidateBench.class, AdmissionBench.class, RoundBench.class})
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private BenchCommand() {
    }

    /**
     * The command with all measurements.
     *
     * @param environment of the process, where the real API server may be named
     */
    public static CommandLine of(ControllerStarter starter, Map<String, String> environment) {
        return new CommandLine(new BenchCommand()).addSubcommand(new RolloutBench(environment)).addSubcommand(new MemoryBench())
                .addSubcommand(new EventsBench())
                .addSubcommand(PartCommand.of(starter)).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "name what to measure: " + String.join(", ",
                spec.subcommands().entrySet().stream().filter(e -> !e.getValue().getCommandSpec().usageMessage().hidden())
                        .map(Map.Entry::getKey).toList()));
    }
}

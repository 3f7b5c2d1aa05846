package dev.pillion.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code pillion bench}: the figures of src/docs/performance.md, made anew. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Measures what the documentation claims.", subcommands = {ValidateBench.class, AdmissionBench.class})
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(),
                "name what to measure: " + String.join(", ", spec.subcommands().keySet()));
    }
}

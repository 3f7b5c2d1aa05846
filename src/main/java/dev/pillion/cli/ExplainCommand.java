package dev.pillion.cli;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** pillion explain: the group of what can be explained in a cluster; what is in files, inject --explain explains. */
@Command(name = "explain", description = "Tells why a Pod, or the pods of a SidecarSet, have, lack or wait for sidecars.", synopsisSubcommandLabel = "(pod | sidecarset)")
final class ExplainCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (spec != null) {
            CommandLine command = spec.commandLine();
            command.getErr().println("pillion: say what to explain");
            command.usage(command.getErr());
        }
        return Exit.USAGE;
    }
}

package dev.pillion.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** pillion validate: the SidecarSet webhooks on files. */
@Command(name = "validate", description = {"Tells what the webhook would say to SidecarSets, without a cluster.",
        "All sets of the files count as one cluster, so conflicts between them are found."}, footerHeading = "%nExit codes: ", footer = "0 all are accepted; 1 at least one would be refused; 64 wrong arguments or files.")
final class ValidateCommand implements Callable<Integer> {
    @Option(names = {"-f",
            "--filename"}, required = true, paramLabel = "FILE", description = "SidecarSets of v1beta1 or v1alpha1, and what they refer to: ControllerRevisions, the ConfigMap kruise-configuration. A file, a folder, or \"-\" for the standard input. May be repeated.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--config", paramLabel = "FILE", description = "Settings file of the controller. Default: config/pillion.yaml of the distribution.")
    private @Nullable Path config;

    @Spec
    private @Nullable CommandSpec spec;

    private final CommandSettings.Source settings;
    private final InputStream input;

    ValidateCommand(CommandSettings.Source settings, InputStream input) {
        this.settings = settings;
        this.input = input;
    }

    @Override
    public Integer call() {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        CommandSettings chosen = settings.read(Optional.ofNullable(config), command);
        return Answer.of(command, (out, err) -> {
            FileCluster cluster = FileCluster.of(new Inputs(input).read(files), chosen.namespace());
            if (cluster.sets().isEmpty()) {
                throw new InputFault("no SidecarSet in " + String.join(", ", files));
            }
            cluster.notes().forEach(n -> err.println("note: " + n));
            boolean refused = false;
            for (SetCheck.Result result : SetCheck.of(cluster, chosen).results()) {
                out.println(result.manifest().describe() + ": " + (result.faults().isEmpty() ? "accepted" : "refused"));
                result.faults().forEach(f -> out.println("  " + f));
                result.warnings().forEach(w -> out.println("  warning: " + w));
                refused |= !result.faults().isEmpty();
            }
            return refused ? Exit.REFUSED : Exit.OK;
        });
    }
}

package dev.pillion.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.pillion.explain.AddedResources;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Moment;
import dev.pillion.inject.Reason;
import dev.pillion.match.SetIndex;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** pillion inject: the Pod webhook on files. */
@Command(name = "inject", description = "Prints the Pod that the webhook would make of one, without a cluster.", footerHeading = "%nExit codes: ", footer = {
        "0 injected; 1 refused; 2 nothing injected, the Pod is printed as it is; 64 wrong arguments or files.",
        "Several Pods: 1 if any is refused, else 0 if any is injected.", "",
        "Every setting of \"pillion run\" may be given too, such as --injection.same-name=refuse."})
final class InjectCommand implements Callable<Integer> {
    @Option(names = {"-f",
            "--filename"}, required = true, paramLabel = "FILE", description = "Pods, or workloads whose Pod template is taken (Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob). A file, a folder, or \"-\" for the standard input. May be repeated.")
    private List<String> pods = new ArrayList<>();

    @Option(names = {"-s",
            "--sets"}, paramLabel = "FILE", description = "SidecarSets of v1beta1 or v1alpha1, and what they refer to: Namespaces, ControllerRevisions, the ConfigMap kruise-configuration. They may also stand in the files of -f. May be repeated.")
    private List<String> sets = new ArrayList<>();

    @Option(names = "--namespace-labels", paramLabel = "FILE", description = "Namespaces with their labels, for sets that select by namespace. May be repeated.")
    private List<String> namespaces = new ArrayList<>();

    @Option(names = {"-n",
            "--namespace"}, paramLabel = "NAME", defaultValue = "default", description = "Namespace of Pods that name none. Default: ${DEFAULT-VALUE}.")
    private String namespace = "default";

    @Option(names = "--explain", description = "Tells on the standard error what became of each SidecarSet, and why.")
    private boolean explain;

    @Option(names = {"-o",
            "--output"}, paramLabel = "FORMAT", defaultValue = "yaml", description = "yaml or json. Default: ${DEFAULT-VALUE}.")
    private ObjectText.Format format = ObjectText.Format.YAML;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings file of the controller. Default: config/pillion.yaml of the distribution.")
    private @Nullable Path config;

    @Spec
    private @Nullable CommandSpec spec;

    private final CommandSettings.Source settings;
    private final InputStream input;
    private final Supplier<Moment> moments;

    InjectCommand(CommandSettings.Source settings, InputStream input, Supplier<Moment> moments) {
        this.settings = settings;
        this.input = input;
        this.moments = moments;
    }

    @Override
    public Integer call() {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        CommandSettings chosen = settings.read(Optional.ofNullable(config), command);
        return Answer.of(command, (out, err) -> {
            Inputs inputs = new Inputs(input);
            List<Manifest> withPods = inputs.read(pods);
            List<Manifest> all = new ArrayList<>(withPods);
            all.addAll(inputs.read(sets));
            all.addAll(inputs.read(namespaces));
            List<PodSource> sources = PodSource.of(withPods);
            FileCluster cluster = FileCluster.of(all, chosen.namespace());
            if (sources.isEmpty()) {
                throw new InputFault("no Pod and no workload in " + String.join(", ", pods));
            }
            if (cluster.sets().isEmpty()) {
                throw new InputFault("no SidecarSet in " + String.join(", ", Stream.concat(sets.stream(), pods.stream()).toList())
                        + "; name the file with -s");
            }
            return inject(sources, cluster, chosen, new Streams(out, err));
        });
    }

    private record Streams(PrintWriter out, PrintWriter err) {
    }

    private int inject(List<PodSource> sources, FileCluster cluster, CommandSettings chosen, Streams to) {
        cluster.notes().forEach(n -> to.err.println("note: " + n));
        SetCheck.of(cluster, chosen).refusals().forEach(r -> to.err.println("warning: " + r));
        SetIndex index = cluster.index();
        List<ObjectNode> printed = new ArrayList<>();
        Set<String> assumed = new LinkedHashSet<>();
        Set<Integer> codes = new HashSet<>();
        for (PodSource source : sources) {
            PodInjection done = PodInjection.of(source, index, chosen.inject(), new PodInjection.Request(namespace, moments.get()));
            assumed.addAll(done.assumed());
            codes.add(code(done.injection()));
            tell(done, to.err);
            if (!(done.injection() instanceof Injection.Refuse)) {
                printed.add(done.pod());
            }
        }
        assumed.forEach(n -> to.err.println("note: Namespace " + n + " is in no file and is taken to have no labels but its name; "
                + "give it with --namespace-labels"));
        if (!printed.isEmpty()) {
            to.out.print(ObjectText.of(printed, format));
        }
        return codes.contains(Exit.REFUSED) ? Exit.REFUSED : codes.contains(Exit.OK) ? Exit.OK : Exit.SKIPPED;
    }

    private static int code(Injection injection) {
        return switch (injection) {
            case Injection.Patch patch -> patch.verdicts().stream().anyMatch(v -> v.reason().equals(Reason.INJECTED.word()))
                    ? Exit.OK
                    : Exit.SKIPPED;
            case Injection.Skip _ -> Exit.SKIPPED;
            case Injection.Refuse _ -> Exit.REFUSED;
        };
    }

    private void tell(PodInjection done, PrintWriter err) {
        String pod = "Pod " + done.source().describe(namespace);
        switch (done.injection()) {
            case Injection.Patch patch -> patch.warnings().forEach(w -> err.println("warning: " + w));
            case Injection.Skip skip -> {
                skip.warnings().forEach(w -> err.println("warning: " + w));
                err.println(pod + ": nothing injected (" + skip.reason() + ")" + (explain ? "" : "; --explain tells why"));
            }
            case Injection.Refuse refuse -> err.println(
                    done.source().manifest().place() + ": " + pod + " is refused (" + refuse.reason() + "): " + refuse.message());
        }
        if (explain) {
            err.println(pod + ":");
            err.print(ReportText.of(done.report().lines(), "  "));
            if (done.injection() instanceof Injection.Patch) {
                err.println("  in all: " + AddedResources.between(done.source().pod(), done.pod()).sentence());
            }
        }
    }
}

package dev.pillion.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.pillion.api.SidecarSet;
import dev.pillion.inject.Moment;
import dev.pillion.kube.ClusterReads;
import dev.pillion.match.SetIndex;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** pillion plan: what would happen if SidecarSets were applied. */
@Command(name = "plan", description = {"Tells what applying SidecarSets to a cluster would do.",
        "Whether they are accepted, which pods match, which would be updated first, and what new pods get. Nothing is written. The spec in the file counts as the whole one."}, footerHeading = "%nExit codes: ", footer = "0 all are accepted; 1 at least one would be refused; 64 wrong arguments or files; 69 the cluster does not answer.")
final class PlanCommand implements Callable<Integer> {
    @Option(names = {"-f",
            "--filename"}, required = true, paramLabel = "FILE", description = "SidecarSets of v1beta1 or v1alpha1. A file, a folder, or \"-\" for the standard input. May be repeated.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", defaultValue = "5", description = "How many pods are named in each line. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private final ClusterAccess access;

    private final InputStream input;
    private final Supplier<Moment> moments;

    PlanCommand(CommandSettings.Source settings, InputStream input, Supplier<Moment> moments) {
        this.access = new ClusterAccess(settings);
        this.input = input;
        this.moments = moments;
    }

    @Override
    public Integer call() {
        return access.run((kube, chosen, out, err) -> {
            FileCluster wanted = FileCluster.of(new Inputs(input).read(files), chosen.namespace());
            if (wanted.sets().isEmpty()) {
                throw new InputFault("no SidecarSet in " + String.join(", ", files));
            }
            ClusterReads reads = kube.reads();
            WholeView all = WholeView.of(reads, err);
            SetIndex index = index(wanted, all, reads);
            boolean refused = false;
            for (FileCluster.Stored stored : wanted.sets()) {
                Optional<SidecarSet> old = all.set(stored.set().name());
                SetCheck.Result check = SetCheck.of(stored, old, index, SetCheck.Revisions.ALL_KNOWN, chosen);
                out.println(stored.manifest().describe() + ": " + (old.isPresent() ? "update" : "new") + ", "
                        + (check.faults().isEmpty() ? "accepted" : "refused"));
                check.faults().forEach(f -> out.println("  " + f));
                check.warnings().forEach(w -> out.println("  warning: " + w));
                if (check.faults().isEmpty()) {
                    SidecarSet planned = planned(stored.set(), old);
                    Instant now = moments.get().now();
                    effects(RolloutLook.of(planned, reads, all.namespaces(), chosen.rollout(), now), old, all, out);
                }
                refused |= !check.faults().isEmpty();
            }
            return refused ? Exit.REFUSED : Exit.OK;
        });
    }

    /** The cluster after all files were applied. */
    private static SetIndex index(FileCluster wanted, WholeView all, ClusterReads reads) {
        List<SidecarSet> sets = new ArrayList<>(wanted.sets().stream().map(FileCluster.Stored::set).toList());
        List<String> names = sets.stream().map(SidecarSet::name).toList();
        all.sets().stream().filter(s -> !names.contains(s.name())).forEach(sets::add);
        return SetIndex.of(new SetIndex.Content(sets, all.namespaces(), reads.revisions(), reads.whitelist()));
    }

    /** The set as it would be stored: identity and status of the present one. */
    private static SidecarSet planned(SidecarSet wanted, Optional<SidecarSet> old) {
        if (old.isEmpty()) {
            return wanted;
        }
        ObjectNode raw = wanted.raw().deepCopy();
        ObjectNode metadata = raw.withObjectProperty("metadata");
        metadata.put("uid", old.get().uid()).put("resourceVersion", old.get().resourceVersion())
                .put("creationTimestamp", old.get().creationTimestamp()).put("generation", old.get().generation() + 1);
        raw.set("status", old.get().raw().path("status"));
        return SidecarSet.of(raw);
    }

    private void effects(RolloutLook look, Optional<SidecarSet> old, WholeView all, PrintWriter out) {
        PlanText text = new PlanText(look, limit);
        out.println("  strategy  " + SetText.strategy(look.set()));
        out.println("  content   " + text.change(old));
        out.println("  pods      " + text.pods());
        text.rollout().forEach(line -> out.println("  roll-out  " + line));
        text.lacking(all).forEach(line -> out.println("  bare      " + line));
        out.println("  new pods  get " + SidecarTotals.text(look.set()));
    }
}

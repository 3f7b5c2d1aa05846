package dev.pillion.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.KubeClient;
import dev.pillion.revision.History;
import dev.pillion.revision.RestoredSet;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** pillion undo: back to an older revision. */
@Command(name = "undo", description = {"Takes a SidecarSet back to an older revision.",
        "Containers, init containers, volumes, pull secrets, patchPodMetadata and the custom version become what the revision recorded, as if the older manifest were applied. Selectors and strategies stay. Running pods follow by the update strategy."}, footerHeading = "%nExit codes: ", footer = "0 done, or there already; 1 there is no such SidecarSet or revision, or the write was refused; 64 wrong arguments; 69 the cluster does not answer.")
final class UndoCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The SidecarSet.")
    private String name = "";

    @Option(names = "--to-revision", paramLabel = "N", description = "The revision's number or name, see \"pillion history\". Default: the one before the present one.")
    private @Nullable String target;

    @Option(names = "--dry-run", description = "Prints the SidecarSet as it would be written, and writes nothing.")
    private boolean dryRun;

    @Mixin
    private final ClusterAccess access;

    UndoCommand(CommandSettings.Source settings) {
        this.access = new ClusterAccess(settings);
    }

    @Override
    public Integer call() {
        return access.runOn(name, (set, kube, _, out, err) -> {
            SetHistory history = SetHistory.of(set, kube.reads());
            Optional<Revision> found = target == null ? History.previous(set, history.revisions()) : history.find(target);
            if (found.isEmpty()) {
                err.println("pillion: " + (target == null
                        ? "SidecarSet " + name + " has no earlier revision to go back to; \"pillion history " + name + "\" lists them"
                        : history.none(target)));
                return Exit.REFUSED;
            }
            return goBack(kube, set, found.get(), out, err);
        });
    }

    private int goBack(KubeClient kube, SidecarSet set, Revision revision, PrintWriter out, PrintWriter err) {
        String where = "revision " + revision.number() + " (" + revision.name() + ")";
        if (History.isAt(set, revision)) {
            out.println("SidecarSet " + name + " is at " + where + " already");
            return Exit.OK;
        }
        Optional<ObjectNode> wanted = RestoredSet.goBack(set, revision);
        if (wanted.isEmpty()) {
            err.println(
                    "pillion: the data of ControllerRevision " + revision.name() + " is no SidecarSet; choose another with --to-revision");
            return Exit.REFUSED;
        }
        if (dryRun) {
            out.print(ObjectText.of(List.of(wanted.get()), ObjectText.Format.YAML));
            return Exit.OK;
        }
        SidecarSet written = SetChange.write(kube, set, s -> RestoredSet.goBack(s, revision).orElse(s.raw()));
        out.println("SidecarSet " + name + " is back at " + where + ": " + SetText.images(written));
        return Exit.OK;
    }
}

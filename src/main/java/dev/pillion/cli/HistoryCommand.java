package dev.pillion.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.GoTime;
import dev.pillion.api.InjectionStrategy.Pin;
import dev.pillion.api.PodMarks;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.inject.Moment;
import dev.pillion.kube.ClusterReads;
import dev.pillion.revision.History;
import dev.pillion.revision.RestoredSet;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** pillion history: the revisions of a SidecarSet. */
@Command(name = "history", description = "Lists the revisions of a SidecarSet with their images and the pods at them.", footerHeading = "%nExit codes: ", footer = "0 shown; 1 there is no such SidecarSet or revision; 64 wrong arguments; 69 the cluster does not answer.")
final class HistoryCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The SidecarSet.")
    private String name = "";

    @Option(names = "--revision", paramLabel = "N", description = "Prints what this revision recorded, by its number or name, as YAML.")
    private @Nullable String revision;

    @Mixin
    private final ClusterAccess access;

    private final Supplier<Moment> moments;

    HistoryCommand(CommandSettings.Source settings, Supplier<Moment> moments) {
        this.access = new ClusterAccess(settings);
        this.moments = moments;
    }

    @Override
    public Integer call() {
        return access.runOn(name, (set, kube, chosen, out, err) -> {
            ClusterReads reads = kube.reads();
            SetHistory history = SetHistory.of(set, reads);
            if (revision != null) {
                return one(history, revision, out, err);
            }
            Instant now = moments.get().now();
            if (history.revisions().isEmpty()) {
                out.println("SidecarSet " + name + " has no revision yet; the controller makes one when it looks at the set");
            } else {
                out.print(table(history, RolloutLook.of(set, reads, reads.namespaces(), chosen.rollout(), now), now));
            }
            return Exit.OK;
        });
    }

    private static int one(SetHistory history, String wanted, PrintWriter out, PrintWriter err) {
        Optional<Revision> found = history.find(wanted);
        Optional<ObjectNode> recorded = found.flatMap(r -> RestoredSet.of(history.set(), r)).map(s -> (ObjectNode) s.raw().path("spec"));
        if (found.isEmpty()) {
            err.println("pillion: " + history.none(wanted));
        } else if (recorded.isEmpty()) {
            err.println("pillion: the data of ControllerRevision " + found.get().name() + " is no SidecarSet and cannot be read");
        }
        recorded.ifPresent(r -> out.print(ObjectText.of(List.of(r), ObjectText.Format.YAML)));
        return recorded.isPresent() ? Exit.OK : Exit.REFUSED;
    }

    private static String table(SetHistory history, RolloutLook look, Instant now) {
        SidecarSet set = history.set();
        TextTable table = new TextTable("REVISION", "NAME", "PODS", "VERSION", "AGE", "NOTE", "IMAGES");
        for (Revision revision : history.revisions()) {
            long pods = look.found().matching().stream().filter(p -> isAt(p, set.name(), revision)).count();
            String version = revision.labels().getOrDefault(Wire.CUSTOM_VERSION_LABEL, "");
            table.row(Long.toString(revision.number()), revision.name(), Long.toString(pods), version.isEmpty() ? "-" : version,
                    Ages.of(GoTime.read(revision.created()), now), note(history, revision),
                    RestoredSet.of(set, revision).map(SetText::images).orElse("(cannot be read)"));
        }
        return table.text("");
    }

    private static boolean isAt(PodView pod, String set, Revision revision) {
        return pod.marks().hash(set).map(PodMarks.HashEntry::controllerRevision).filter(revision.name()::equals).isPresent();
    }

    private static String note(SetHistory history, Revision revision) {
        List<String> notes = new ArrayList<>();
        if (History.isAt(history.set(), revision) && revision.equals(history.revisions().getLast())) {
            notes.add("current");
        }
        Optional<Pin> pin = history.set().injectionStrategy().pin();
        boolean pinned = pin.flatMap(Pin::revisionName).filter(revision.name()::equals).isPresent()
                || (pin.flatMap(Pin::revisionName).isEmpty() && pin.flatMap(Pin::customVersion)
                        .flatMap(v -> History.newestOf(history.revisions(), v)).filter(revision::equals).isPresent());
        if (pinned) {
            notes.add("pinned");
        }
        return notes.isEmpty() ? "-" : String.join(",", notes);
    }
}

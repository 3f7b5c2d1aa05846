package dev.pillion.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoTime;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.inject.Moment;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** pillion status: where SidecarSets stand. */
@Command(name = "status", description = {"Shows where SidecarSets stand.",
        "All of them in a list, or one with what its pods wait for."}, footerHeading = "%nExit codes: ", footer = "0 shown; 1 there is no such SidecarSet; 64 wrong arguments; 69 the cluster does not answer.")
final class StatusCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A SidecarSet. Default: all.")
    private @Nullable String name;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "5", description = "How many pods are named for each reason. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private final ClusterAccess access;

    private final Supplier<Moment> moments;

    StatusCommand(CommandSettings.Source settings, Supplier<Moment> moments) {
        this.access = new ClusterAccess(settings);
        this.moments = moments;
    }

    @Override
    public Integer call() {
        return name == null ? access.run((kube, _, out, _) -> {
            List<SidecarSet> sets = kube.reads().sets().stream().sorted(Comparator.comparing(SidecarSet::name, ByteOrder.UTF8)).toList();
            out.print(sets.isEmpty() ? "no SidecarSets" + System.lineSeparator() : table(sets, moments.get().now()));
            return Exit.OK;
        }) : access.runOn(name, (set, kube, chosen, out, _) -> {
            Instant now = moments.get().now();
            one(RolloutLook.of(set, kube.reads(), kube.reads().namespaces(), chosen.rollout(), now), now, out);
            return Exit.OK;
        });
    }

    private static String table(List<SidecarSet> sets, Instant now) {
        TextTable table = new TextTable("NAME", "STATE", "MATCHED", "UPDATED", "READY", "UPDATED-READY", "REVISION", "AGE");
        for (SidecarSet set : sets) {
            SetStatus status = set.status();
            table.row(set.name(), SetState.of(set).word(), number(status.matchedPods()), number(status.updatedPods()),
                    number(status.readyPods()), number(status.updatedReadyPods()), status.latest().orElse("-"),
                    Ages.of(GoTime.read(set.creationTimestamp()), now));
        }
        return table.text("");
    }

    private static String number(int value) {
        return Integer.toString(value);
    }

    private void one(RolloutLook look, Instant now, PrintWriter out) {
        SetState state = SetState.of(look.set());
        out.print(table(List.of(look.set()), now));
        out.println();
        out.println(state.word() + ": " + state.sentence());
        String waiting = SetText.waiting(look, limit, "  ");
        if (!waiting.isEmpty()) {
            out.println("pods that are not updated:");
            out.print(waiting);
        }
    }
}

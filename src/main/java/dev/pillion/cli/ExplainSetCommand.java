package dev.pillion.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.pillion.api.SidecarSet;
import dev.pillion.explain.Absence;
import dev.pillion.inject.Moment;
import dev.pillion.kube.ClusterReads;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** pillion explain sidecarset: what the pods of a set wait for, and which lack its sidecars. */
@Command(name = "sidecarset", aliases = "set", description = "Tells where the roll-out of a SidecarSet stands, what its pods wait for, and which pods lack its sidecars and why.", footerHeading = "%nExit codes: ", footer = "0 explained; 1 there is no such SidecarSet; 64 wrong arguments; 69 the cluster does not answer.")
final class ExplainSetCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The SidecarSet.")
    private String name = "";

    @Option(names = "--limit", paramLabel = "N", defaultValue = "10", description = "How many pods are named for each reason. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--events", paramLabel = "N", defaultValue = "5", description = "How many of its last events are shown. Default: ${DEFAULT-VALUE}.")
    private int events;

    @Mixin
    private final ClusterAccess access;

    private final Supplier<Moment> moments;

    ExplainSetCommand(CommandSettings.Source settings, Supplier<Moment> moments) {
        this.access = new ClusterAccess(settings);
        this.moments = moments;
    }

    @Override
    public Integer call() {
        return access.runOn(name, (set, kube, chosen, out, err) -> {
            ClusterReads reads = kube.reads();
            Instant now = moments.get().now();
            WholeView all = WholeView.of(reads, err);
            RolloutLook look = RolloutLook.of(set, reads, all.namespaces(), chosen.rollout(), now);
            heading(look, out);
            section("Pods that are not updated", SetText.waiting(look, limit, "  "), out);
            section("Pods that match and lack the sidecars", lacking(look, all), out);
            section("Events", Gentle.read("events", () -> EventLines.of(reads, set.raw(), events, now, "  "), "", err), out);
            return Exit.OK;
        });
    }

    private static void section(String title, String lines, PrintWriter out) {
        if (!lines.isEmpty()) {
            out.println();
            out.println(title);
            out.print(lines);
        }
    }

    private static void heading(RolloutLook look, PrintWriter out) {
        SidecarSet set = look.set();
        SetState state = SetState.of(set);
        out.println("SidecarSet " + set.name() + ": " + state.word() + ", " + state.sentence());
        out.println("  strategy  " + SetText.strategy(set));
        out.println("  version   " + set.status().latest().orElse("no revision yet") + ": " + SetText.images(set));
        out.println("  status    " + set.status().matchedPods() + " pods, " + set.status().updatedPods() + " updated, "
                + set.status().readyPods() + " ready, " + set.status().updatedReadyPods() + " updated and ready");
        set.canaryOf().ifPresent(base -> out.println("  canary of " + base));
        RolloutLook.fault(set).ifPresent(f -> out.println("  fault     " + f + "; it matches no pod"));
    }

    private String lacking(RolloutLook look, WholeView all) {
        TextTable table = new TextTable("REASON", "PODS", "BECAUSE");
        all.lacking(look).forEach((reason, pods) -> {
            table.row(reason, Integer.toString(pods.size()), sentence(reason, pods.getFirst()));
            table.row("", "", SetText.names(pods.stream().map(WholeView.Lacking::pod).toList(), limit));
        });
        return table.isEmpty() ? "" : table.text("  ");
    }

    /** What differs from Pod to Pod is told of the first. */
    private static String sentence(String reason, WholeView.Lacking first) {
        return reason.equals(Absence.OLDER_THAN_SET.word())
                ? "they were created before the SidecarSet; only new pods get sidecars, so re-create them"
                : first.sentence();
    }
}

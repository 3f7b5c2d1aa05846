package dev.pillion.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.pillion.explain.InjectionReport.Line;
import dev.pillion.explain.PodReport;
import dev.pillion.inject.Moment;
import dev.pillion.kube.ClusterReads;
import dev.pillion.match.CompiledSet;
import dev.pillion.rollout.Standing;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** pillion explain pod: why a Pod has, lacks or waits for the sidecars of each set. */
@Command(name = "pod", description = "Tells for each SidecarSet why it has or has not injected the Pod, and how the Pod stands in its roll-out.", footerHeading = "%nExit codes: ", footer = "0 explained; 1 there is no such Pod; 64 wrong arguments; 69 the cluster does not answer.")
final class ExplainPodCommand implements Callable<Integer> {
    private static final int BLOCKERS = 5;

    @Parameters(paramLabel = "NAME", description = "The Pod.")
    private String name = "";

    @Option(names = {"-n",
            "--namespace"}, paramLabel = "NAME", defaultValue = "default", description = "Its namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace = "default";

    @Option(names = "--events", paramLabel = "N", defaultValue = "5", description = "How many of its last events are shown. Default: ${DEFAULT-VALUE}.")
    private int events;

    @Mixin
    private final ClusterAccess access;

    private final Supplier<Moment> moments;

    ExplainPodCommand(CommandSettings.Source settings, Supplier<Moment> moments) {
        this.access = new ClusterAccess(settings);
        this.moments = moments;
    }

    @Override
    public Integer call() {
        return access.run((kube, chosen, out, err) -> {
            ClusterReads reads = kube.reads();
            Optional<ObjectNode> raw = reads.pod(namespace, name);
            if (raw.isEmpty()) {
                err.println("pillion: there is no Pod " + name + " in namespace " + namespace + "; name another with -n");
                return Exit.REFUSED;
            }
            Moment moment = moments.get();
            PodQuestion question = PodQuestion.of(raw.get(), reads, chosen, moment, err);
            out.println(question.title(moment.now()));
            out.println();
            out.println("Injection");
            out.print(ReportText.of(PodReport.of(question.index(), question.subject()), "  "));
            rollout(question, reads, chosen, moment.now(), out);
            String told = Gentle.read("events", () -> EventLines.of(reads, raw.get(), events, moment.now(), "  "), "", err);
            if (!told.isEmpty()) {
                out.println();
                out.println("Events");
                out.print(told);
            }
            return Exit.OK;
        });
    }

    private static void rollout(PodQuestion question, ClusterReads reads, CommandSettings chosen, Instant now, PrintWriter out) {
        TextTable table = new TextTable("SIDECARSET", "STATE", "BECAUSE");
        for (CompiledSet set : question.index().all()) {
            if (!question.pod().marks().injectedList().contains(set.name())) {
                continue;
            }
            Optional<Line> outside = PodReport.outsideRollout(set, question.pod(), question.subject().namespace());
            if (outside.isPresent()) {
                table.row(set.name(), outside.get().reason(), "not part of the roll-out: " + outside.get().sentence());
                continue;
            }
            RolloutLook look = RolloutLook.of(set.set(), reads, question.index().namespaces(), chosen.rollout(), now);
            look.standings().stream().filter(s -> s.pod().equals(question.pod().key())).findFirst()
                    .ifPresentOrElse(s -> table.row(set.name(), s.word(), sentence(s, look)),
                            () -> table.row(set.name(), "unknown", "the Pod changed while it was looked at; ask again"));
        }
        if (!table.isEmpty()) {
            out.println();
            out.println("Roll-out");
            out.print(table.text("  "));
        }
    }

    private static String sentence(Standing standing, RolloutLook look) {
        String blockers = look.plan().waiting().stream().filter(w -> standing.waits().filter(w.reason()::equals).isPresent())
                .filter(w -> !w.blockers().isEmpty()).findFirst()
                .map(w -> ". It waits for " + SetText.names(w.blockers(), BLOCKERS)).orElse("");
        return SetText.sentence(standing) + blockers;
    }
}

package dev.pillion.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.pillion.check.CheckOptions;
import dev.pillion.check.CheckOptions.Served;
import dev.pillion.check.Checkup;
import dev.pillion.check.Finding;
import dev.pillion.check.Severity;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.Moment;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** pillion check: whether a cluster is as Pillion needs it, and what stands in the way of a take-over. */
@Command(name = "check", description = {"Looks a cluster over and tells what keeps Pillion from working, each with its way out.",
        "It changes nothing, and shows no values of environments or Secrets."}, footerHeading = "%nExit codes: ", footer = "0 no errors; 1 errors were found; 64 wrong arguments; 69 the cluster does not answer.")
final class CheckCommand implements Callable<Integer> {
    @Option(names = "--limit", paramLabel = "N", defaultValue = "5", description = "How many objects are named for each finding. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private final ClusterAccess access;

    private final Supplier<Moment> moments;

    CheckCommand(CommandSettings.Source settings, Supplier<Moment> moments) {
        this.access = new ClusterAccess(settings);
        this.moments = moments;
    }

    @Override
    public Integer call() {
        return access.run((kube, chosen, out, _) -> {
            kube.serverVersion();
            CheckOptions options = options(chosen, moments.get().now());
            List<Finding> findings = Checkup.of(new ClusterLook(kube, options).facts(), options);
            print(findings, out);
            return count(findings, Severity.ERROR) > 0 ? Exit.REFUSED : Exit.OK;
        });
    }

    private static CheckOptions options(CommandSettings chosen, Instant now) {
        Served gate = chosen.inject().readinessGate() == InjectOptions.ReadinessGate.OFF ? Served.NO : Served.YES;
        Served launch = chosen.inject().launchPriority() == InjectOptions.LaunchPriority.OFF ? Served.NO : Served.YES;
        return new CheckOptions(now, chosen.namespace(), chosen.serving().deadline(), chosen.serving().certificates(), gate, launch);
    }

    private void print(List<Finding> findings, PrintWriter out) {
        for (Finding finding : findings) {
            List<String> shown = finding.objects().stream().limit(Math.max(1, limit)).toList();
            int more = finding.objects().size() - shown.size();
            out.println(
                    word(finding.rule().severity()) + " " + finding.rule().word() + ": " + finding.kind() + " " + String.join(", ", shown)
                            + (more > 0 ? " and " + more + " more" : ""));
            out.println("    " + finding.what());
            out.println("    Way out: " + finding.wayOut());
        }
        out.println(count(findings, Severity.ERROR) + " errors, " + count(findings, Severity.WARNING) + " warnings, "
                + count(findings, Severity.INFO) + " to know");
    }

    private static String word(Severity severity) {
        return switch (severity) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case INFO -> "info";
        };
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream().filter(f -> f.rule().severity() == severity).count();
    }
}

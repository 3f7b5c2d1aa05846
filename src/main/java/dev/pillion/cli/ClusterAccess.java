package dev.pillion.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.SidecarSet;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.KubeOptions;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of every command that asks a cluster, and the connection they lead to. */
final class ClusterAccess {
    private static final String INSTANCE = "pillion-cli";
    private static final Duration UNUSED = Duration.ofMinutes(2);

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "The cluster. Default: KUBECONFIG, ~/.kube/config, or the service account of the Pod it runs in.")
    private @Nullable Path kubeconfig;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings file of the controller. Default: config/pillion.yaml of the distribution.")
    private @Nullable Path config;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    private final CommandSettings.Source source;

    ClusterAccess(CommandSettings.Source source) {
        this.source = source;
    }

    /** What a command does with its cluster. */
    interface Work {
        int run(KubeClient kube, CommandSettings settings, PrintWriter out, PrintWriter err) throws IOException;
    }

    /** What a command does with one SidecarSet of its cluster. */
    interface SetWork {
        int run(SidecarSet set, KubeClient kube, CommandSettings settings, PrintWriter out, PrintWriter err) throws IOException;
    }

    /** Connects and finds the SidecarSet first; that there is none is told, and the exit code is 1. */
    int runOn(String name, SetWork work) {
        return run((kube, settings, out, err) -> {
            Optional<SidecarSet> set = kube.reads().set(name);
            if (set.isEmpty()) {
                err.println("pillion: there is no SidecarSet " + name + "; \"pillion status\" lists them");
                return Exit.REFUSED;
            }
            return work.run(set.get(), kube, settings, out, err);
        });
    }

    /** Connects, works, closes; troubles become one line and an exit code. */
    int run(Work work) {
        CommandLine line = Objects.requireNonNull(command).commandLine();
        CommandSettings settings = source.read(Optional.ofNullable(config), line);
        return Answer.of(line, (out, err) -> {
            KubeOptions options = new KubeOptions(settings.namespace(), INSTANCE, settings.requestTimeout(), UNUSED,
                    settings.requestTimeout());
            try (KubeClient kube = connect(options)) {
                return work.run(kube, settings, out, err);
            } catch (KubeException e) {
                if (kubeconfig == null && e.code() == 0) {
                    err.println("pillion: the cluster cannot be reached; name another with --kubeconfig");
                }
                throw e;
            }
        });
    }

    private KubeClient connect(KubeOptions options) throws InputFault {
        try {
            return KubeClient.connect(Optional.ofNullable(kubeconfig), options);
        } catch (IllegalArgumentException e) {
            throw new InputFault(String.valueOf(e.getMessage()), e);
        }
    }
}

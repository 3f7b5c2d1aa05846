package dev.pillion.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.KubeOptions;

import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options of every command that asks a cluster, and the connection they lead to. */
final class ClusterAccess {
    private static final String INSTANCE = "pillion-cli";
    private static final Duration UNUSED = Duration.ofMinutes(2);

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "The cluster. Default: KUBECONFIG, ~/.kube/config, or the service account of the Pod it runs in.")
    private @Nullable Path kubeconfig;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings file of the controller. Default: config/pillion.yaml of the distribution.")
    private @Nullable Path config;

    /** What a command does with its cluster. */
    interface Work {
        int run(KubeClient kube, CommandSettings settings, PrintWriter out, PrintWriter err) throws IOException;
    }

    /** Connects, works, closes; troubles become one line and an exit code. */
    int run(CommandLine command, CommandSettings.Source source, Work work) {
        CommandSettings settings = source.read(Optional.ofNullable(config), command);
        return Answer.of(command, (out, err) -> {
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

package dev.pillion.app;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.pillion.sim.SimOptions;
import dev.pillion.sim.Simulators;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** pillion sim: kubelet, workloads and owner collection as a process of its own. */
@Command(name = "sim", description = "Plays kubelet, Deployments and owner collection against any API server.", mixinStandardHelpOptions = true, abbreviateSynopsis = true, usageHelpWidth = 120)
final class SimCommand implements Callable<Integer> {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "The cluster. Without it: the service account of the Pod it runs in.")
    private @Nullable Path kubeconfig;

    @Option(names = "--never-ready", paramLabel = "REGEX", description = "Containers whose image matches never become ready.")
    private @Nullable Pattern neverReady;

    @Override
    public Integer call() throws InterruptedException {
        SimOptions options = SimOptions.defaults();
        if (neverReady != null) {
            options = options.withNeverReady(neverReady);
        }
        try {
            return Stop.onSignal(Simulators.start(Optional.ofNullable(kubeconfig), options));
        } catch (IllegalArgumentException e) {
            System.err.println("pillion: " + e.getMessage());
            return 1;
        }
    }
}

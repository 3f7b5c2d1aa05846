package dev.pillion.app;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import dev.pillion.config.Config;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** pillion run: the controller against a cluster, until it is told to stop. */
@Command(name = "run", description = "Runs the controller: webhooks, roll-outs and metrics, against a cluster.", mixinStandardHelpOptions = true, abbreviateSynopsis = true, usageHelpWidth = 120, sortOptions = false)
final class RunCommand implements Callable<Integer> {
    private static final int NOT_STARTED = 1;
    private static final int LAST_PORT = 65_535;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "The cluster. Without it: the service account of the Pod it runs in.")
    private @Nullable Path kubeconfig;

    @Option(names = "--webhook-url", paramLabel = "URL", description = {
            "Where the API server reaches the webhooks of a controller outside the "
                    + "cluster, such as https://127.0.0.1:9876. The webhook configurations are then written by the controller, which listens on this port."})
    private @Nullable URI webhookUrl;

    @Option(names = "--listen-port", paramLabel = "PORT", description = {
            "With --webhook-url: where the webhooks listen when something at the "
                    + "URL, such as a load balancer, passes connections on to several controllers. Default: the port of the URL."})
    private @Nullable Integer listenPort;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings file. Default: config/pillion.yaml of the distribution.")
    private @Nullable Path config;

    @Spec
    private @Nullable CommandSpec spec;

    private final SettingFlags flags;

    RunCommand(SettingFlags flags) {
        this.flags = flags;
    }

    /** Reads all options; the first use of a logger must come later. */
    Launch launch() {
        if (spec == null) {
            throw new IllegalStateException("not parsed");
        }
        CommandLine command = spec.commandLine();
        if (webhookUrl != null) {
            checkUrl(webhookUrl, command);
        }
        if (listenPort != null) {
            checkPort(listenPort, command);
        }
        Config read = flags.read(Optional.ofNullable(config), command);
        if (read.shard().slots() != 1) {
            throw new ParameterException(command, "shard.slots = \"" + read.shard().slots()
                    + "\" is not served by this version, which elects one leader for all sets; allowed: 1");
        }
        return new Launch(read, Optional.ofNullable(kubeconfig), Optional.ofNullable(webhookUrl),
                listenPort == null ? OptionalInt.empty() : OptionalInt.of(listenPort));
    }

    private static void checkUrl(URI url, CommandLine command) {
        boolean good = "https".equals(url.getScheme()) && url.getHost() != null && (url.getPath() == null || url.getPath().isEmpty())
                && url.getQuery() == null;
        if (!good) {
            throw new ParameterException(command,
                    "--webhook-url = \"" + url + "\" is not allowed; allowed: https://HOST:PORT without a path");
        }
    }

    private void checkPort(int port, CommandLine command) {
        if (webhookUrl == null) {
            throw new ParameterException(command, "--listen-port goes with --webhook-url only; in a cluster use --admission.port");
        }
        if (port < 1 || port > LAST_PORT) {
            throw new ParameterException(command, "--listen-port = \"" + port + "\" is not allowed; allowed: 1 to " + LAST_PORT);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Launch launch = launch();
        LastWords.followThreads();
        Controller controller;
        try {
            controller = Controller.start(launch);
        } catch (IllegalArgumentException | IllegalStateException e) {
            switch (launch.config().log().format()) {
                case TEXT -> System.err.println("pillion: " + e.getMessage());
                case JSON -> LastWords.notStarted(e);
            }
            return NOT_STARTED;
        }
        return Stop.onSignal(controller::leave);
    }
}

package dev.pillion.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pillion demo}: the whole way of a sidecar, from injection to roll-out, on this machine. */
@Command(name = "demo", mixinStandardHelpOptions = true, description = "Shows a sidecar roll-out on an embedded cluster: sandbox, simulators and controller in one process, "
        + "joined by a kubeconfig only.")
public final class DemoCommand implements Callable<Integer> {
    private final ControllerStarter starter;

    @Option(names = "--exit", description = "End after the roll-out; without it the cluster goes on serving for kubectl.")
    private boolean exit;

    @Option(names = "--bad-image", description = "Roll out an image that never becomes ready first; the demo corrects it after 5 s.")
    private boolean badImage;

    @Option(names = "--sidecarset", arity = "1..*", paramLabel = "FILE", description = "Your own SidecarSets instead of the demo's log agent.")
    private List<Path> sidecarSets = new ArrayList<>();

    @Option(names = "--manifests", arity = "1..*", paramLabel = "FILE", description = "Your own workloads instead of the demo's shop.")
    private List<Path> manifests = new ArrayList<>();

    @Option(names = "--kubelet-delay", paramLabel = "MILLIS", defaultValue = "1000", description = "How long a container takes to start, in ms (default: ${DEFAULT-VALUE}).")
    private int kubeletDelayMillis;

    @Option(names = "--deadline", paramLabel = "SECONDS", defaultValue = "300", description = "When a roll-out that has not ended counts as failed, in s (default: ${DEFAULT-VALUE}).")
    private int deadlineSeconds;

    public DemoCommand(ControllerStarter starter) {
        this.starter = starter;
    }

    @Override
    public Integer call() throws Exception {
        DemoOptions options = new DemoOptions(exit ? DemoOptions.End.EXIT : DemoOptions.End.SERVE,
                badImage ? DemoOptions.Image.BAD_FIRST : DemoOptions.Image.GOOD, sidecarSets, manifests,
                Duration.ofMillis(kubeletDelayMillis),
                Duration.ofSeconds(deadlineSeconds));
        return new Demo(options, starter, System.out).run();
    }
}

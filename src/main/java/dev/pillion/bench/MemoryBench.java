package dev.pillion.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import dev.pillion.kube.KubeException;
import dev.pillion.sandbox.FreePorts;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code pillion bench memory}: what a cached Pod takes, and how a restart goes in a large cluster.
 * <ol>
 * <li>Sets without Pods: the controller registers them once. Its heap after a restart is what Pods come on top of.
 * <li>The Pods come; the controller counts them once, and so every set's status is as it should be.
 * <li>A restart in a new process: time, writes, heap and its peak.
 * <li>The same with no more heap than 1.5 times what the last one needed in the end (FR-57).
 * </ol>
 */
@Command(name = "memory", mixinStandardHelpOptions = true, description = {
        "Heap per cached Pod, and a restart with many Pods and sets: time, writes, peak.",
        "The Pods come from a sandbox in a process of its own, in pages as from any API server."})
final class MemoryBench implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final double MEBI = 1024.0 * 1024;
    private static final double PEAK = 1.5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--pods", paramLabel = "N", defaultValue = "100000", description = "Number of Pods (default: ${DEFAULT-VALUE}).")
    private int pods;

    @Option(names = "--sets", paramLabel = "N", defaultValue = "10000", description = "Number of SidecarSets, even (default: ${DEFAULT-VALUE}).")
    private int sets;

    @Override
    public Integer call() throws Exception {
        if (sets < 2 || sets % 2 != 0 || pods < sets / 2) {
            throw new ParameterException(spec.commandLine(),
                    "--sets = " + sets + ", --pods = " + pods + " is not allowed; allowed: an even number of sets, "
                            + "and half as many Pods or more");
        }
        try (SandboxServer server = SandboxServer.start()) {
            Cluster.prepare(server).close();
            measure(server);
            return 0;
        } catch (IllegalStateException | KubeException e) {
            spec.commandLine().getErr().println("pillion: " + e.getMessage());
            return FAILED;
        }
    }

    private void measure(SandboxServer server) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(Locale.ROOT, "%,d Pods with two sidecars each, %,d sets; %s", pods, sets, Machine.describe()));
        out.println("| What | Value |");
        out.println("|---|---|");
        server.ask("sets " + sets);
        start(server, List.of(), "first start, without Pods");
        long empty = start(server, List.of(), "restart, without Pods").heap();
        server.ask("pods " + pods + " " + sets);
        start(server, List.of(), "start with Pods that are new to it");
        Restart restart = start(server, List.of(), "restart");
        row(out, "heap with the sets, without Pods", String.format(Locale.ROOT, "%.0f MiB", empty / MEBI));
        row(out, "heap with the Pods", String.format(Locale.ROOT, "%.0f MiB", restart.heap / MEBI));
        row(out, "of that for the Pods, in cache and ledgers", String.format(Locale.ROOT, "%.0f MiB", (restart.heap - empty) / MEBI));
        row(out, "heap per Pod", String.format(Locale.ROOT, "%,d bytes", (restart.heap - empty) / pods));
        row(out, "resident at the end of the restart, greatest",
                String.format(Locale.ROOT, "%.0f MiB, %.0f MiB", restart.cost.resident() / MEBI,
                        restart.cost.peakResident() / MEBI));
        row(out, "most heap after any collection during the restart",
                String.format(Locale.ROOT, "%.0f MiB, %.2f times the end", restart.peak / MEBI,
                        (double) restart.peak / restart.heap));
        row(out, "restart: ready after", String.format(Locale.ROOT, "%.1f s", RolloutRow.seconds(restart.ready)));
        row(out, "restart: all sets looked at after", String.format(Locale.ROOT, "%.1f s", RolloutRow.seconds(restart.settled)));
        row(out, "restart: sets per second, from the first to the last",
                String.format(Locale.ROOT, "%.0f", sets / Math.max(0.001, RolloutRow.seconds(restart.pass))));
        row(out, "restart: CPU, of it compiler", String.format(Locale.ROOT, "%.1f s, %.1f s", RolloutRow.seconds(restart.cost.cpu()),
                RolloutRow.seconds(restart.cost.compiler())));
        row(out, "restart: writes of sets, Pods and revisions", String.format(Locale.ROOT, "%d", restart.writes));
        int limit = (int) Math.ceil(restart.heap * PEAK / MEBI);
        Restart tight = start(server, List.of("-Xmx" + limit + "m"), "restart with a heap of " + limit + " MiB");
        row(out, "restart with 1.5 times that heap (-Xmx" + limit + "m): ready after",
                String.format(Locale.ROOT, "%.1f s", RolloutRow.seconds(tight.ready)));
        row(out, "of that: CPU, of it collector", String.format(Locale.ROOT, "%.1f s, %.1f s", RolloutRow.seconds(tight.cost.cpu()),
                RolloutRow.seconds(tight.cost.collector())));
    }

    private static void row(PrintWriter out, String what, String value) {
        out.println("| " + what + " | " + value + " |");
        out.flush();
    }

    /**
     * What one start brought.
     *
     * @param ready from the start to readiness; settled to the last set having been looked at; pass from the first set to the last
     * @param heap bytes in use at the end, after a collection; peak the most after any collection before
     */
    private record Restart(Duration ready, Duration settled, Duration pass, long heap, long peak, Cost cost, long writes) {
    }

    private Restart start(SandboxServer server, List<String> jvm, String what) throws Exception {
        int[] ports = FreePorts.several(2);
        long writes = Long.parseLong(server.ask("writes"));
        try (PartProcess controller = PartProcess.start(Scratch.create("controller"), jvm,
                List.of("controller", "--kubeconfig", server.kubeconfig(TargetServer.CONTROLLER).toString(), "--",
                        "--webhook-url=https://127.0.0.1:" + ports[0], "--metrics.port=" + ports[1]))) {
            ReconcileCount count = ReconcileCount.follow(ports[1], sets);
            long began = System.nanoTime();
            controller.ask("start");
            Duration ready = Duration.ofNanos(System.nanoTime() - began);
            count.await();
            Duration settled = Duration.ofNanos(count.last() - began);
            long peak = Long.parseLong(controller.ask("peak"));
            Cost cost = Cost.ofJson(controller.ask("cost"));
            long heap = Long.parseLong(controller.ask("heap"));
            long written = Long.parseLong(server.ask("writes")) - writes;
            PrintWriter err = spec.commandLine().getErr();
            err.println(String.format(Locale.ROOT, "%s: ready in %.1f s, all sets looked at in %.1f s, %d writes", what,
                    RolloutRow.seconds(ready), RolloutRow.seconds(settled), written));
            err.flush();
            return new Restart(ready, settled, Duration.ofNanos(count.last() - count.first()), heap, peak, cost, written);
        }
    }
}

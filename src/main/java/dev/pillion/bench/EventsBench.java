package dev.pillion.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.kube.KubeException;
import dev.pillion.sandbox.FreePorts;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code pillion bench events}: whether many events at once make admission slow (FR-64).
 * <ol>
 * <li>A sandbox with Pods and sets, the controller, and an echo that knows no events, each in a process of its own.
 * <li>Reviews at a steady rate, in turns to the webhook of Pods and to the echo, while nothing else happens.
 * <li>The same while events go through the controller's watch, until it has seen them all. What the echo takes longer then is the
 * machine's part: sandbox and load are on the same processors.
 * </ol>
 */
@Command(name = "events", mixinStandardHelpOptions = true, description = {
        "Latency of admission while nothing happens, and while many events go through the watch, beside an echo in a process of its own.",
        "The events come from a sandbox in another process."})
final class EventsBench implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int CONNECTIONS = 4;
    /** Reviews in a row to the same server. */
    private static final int TURN = 40;
    private static final String SEEN = "pillion_watch_events_total{kind=\"pods\"";
    private static final String DEPTH = "workqueue_depth";
    private static final String BUSY = "controller_runtime_active_workers";
    private static final int WARM_UP_RATE = 1000;
    /** A status is written with a pause after the one before. */
    private static final Duration LAST_STATUS = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double P99 = .99;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--events", paramLabel = "N", defaultValue = "20000", description = "Events of Pods in a round; for each 20 of them one set changes (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(names = "--events-per-second", paramLabel = "N", defaultValue = "5000", description = "Events of Pods in a second at most (default: ${DEFAULT-VALUE}).")
    private int eventsPerSecond;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Rounds, each first without and then with events (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "200", description = "Reviews in a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--warm-up", paramLabel = "N", defaultValue = "4000", description = "Reviews to each server before the first round (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--pods", paramLabel = "N", defaultValue = "10000", description = "Number of Pods (default: ${DEFAULT-VALUE}).")
    private int pods;

    @Option(names = "--sets", paramLabel = "N", defaultValue = "1000", description = "Number of SidecarSets, even (default: ${DEFAULT-VALUE}).")
    private int sets;

    @Option(names = "--jvm", paramLabel = "OPTION", description = "A further option of the controller's JVM, such as a flight recording; may be repeated.")
    private List<String> jvm = List.of();

    /** Where reviews go, and what came of them. */
    private record Target(int port, int sidecars, Tally idle, Tally busy) {
    }

    /** The processes. */
    private record Parts(SandboxServer server, PartProcess controller, LoadProcess load, MetricSum metrics) {
    }

    @Override
    public Integer call() throws Exception {
        if (sets < 2 || sets % 2 != 0 || pods < sets / 2 || events < 1 || eventsPerSecond < 1 || rate < 1) {
            throw new ParameterException(spec.commandLine(), "--sets = " + sets + ", --pods = " + pods + ", --events = " + events
                    + ", --events-per-second = " + eventsPerSecond + ", --rate = " + rate
                    + " is not allowed; allowed: an even number of sets, half as many Pods or more, and positive numbers");
        }
        Credentials credentials = new CertMaker(new SecureRandom(), List.of("127.0.0.1")).fresh(Instant.now());
        try (Scratch scratch = Scratch.create("events")) {
            Files.writeString(scratch.file("tls.crt"), credentials.serving().certificatePem());
            Files.writeString(scratch.file("tls.key"), credentials.serving().keyPem());
            return measure(scratch, credentials) == 0 ? 0 : FAILED;
        } catch (IllegalStateException | KubeException e) {
            spec.commandLine().getErr().println("pillion: " + e.getMessage());
            return FAILED;
        }
    }

    /** Returns how many sets have a wrong status in the end. */
    private int measure(Scratch certificates, Credentials credentials) throws Exception {
        int[] ports = FreePorts.several(2);
        try (SandboxServer server = prepare();
                PartProcess controller = PartProcess.start(Scratch.create("controller"), jvm,
                        List.of("controller", "--kubeconfig", server.kubeconfig(TargetServer.CONTROLLER).toString(), "--",
                                "--webhook-url=https://127.0.0.1:" + ports[0], "--metrics.port=" + ports[1], "--certs.external=true",
                                "--certs.directory=" + certificates.folder()));
                PartProcess echo = PartProcess.start(Scratch.create("echo"), List.of(),
                        List.of("echo", "--certificate", certificates.folder().toString()));
                LoadProcess load = LoadProcess.start(credentials.authority().certificatePem());
                MetricSum metrics = new MetricSum(ports[1])) {
            start(controller, ports[1], sets + SampleSets.MATCHING);
            server.ask("pods " + pods + " " + sets);
            Parts parts = new Parts(server, controller, load, metrics);
            awaitSeen(parts, pods);
            List<Target> targets = List.of(
                    new Target(ports[0], SampleSets.MATCHING, new Tally("admission, no events"), new Tally("admission, events")),
                    new Target(Integer.parseInt(echo.ask("port")), 0, new Tally("echo, no events"), new Tally("echo, events")));
            return run(parts, targets);
        }
    }

    private SandboxServer prepare() throws Exception {
        SandboxServer server = SandboxServer.start();
        try (Cluster cluster = Cluster.prepare(server)) {
            ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", SamplePods.NAMESPACE);
            cluster.apply(namespace);
            SampleSets.admitting(SampleSets.MATCHING).sets().stream().map(SidecarSet::raw).forEach(cluster::apply);
        }
        server.ask("sets " + sets);
        return server;
    }

    private static void start(PartProcess controller, int port, int sets) {
        ReconcileCount count = ReconcileCount.follow(port, sets);
        controller.ask("start");
        count.await();
    }

    private static void awaitSeen(Parts parts, long wanted) {
        Waiting.whileItMoves("the controller has seen all Pods", PATIENCE, (int) wanted, () -> (int) seen(parts));
    }

    private static long seen(Parts parts) {
        try {
            return parts.metrics.of(SEEN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns how many sets have a wrong status for good. */
    private static int awaitCounts(Parts parts) {
        long end = System.nanoTime() + LAST_STATUS.toNanos();
        int wrong = Integer.parseInt(parts.server.ask("miscounted"));
        while (wrong > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE.toNanos());
            wrong = Integer.parseInt(parts.server.ask("miscounted"));
        }
        return wrong;
    }

    private int run(Parts parts, List<Target> targets) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%,d Pods, %,d sets; rounds of %,d events, %,d reviews in a second; %s%n", pods, sets, events, rate,
                Machine.describe());
        for (Target target : targets) {
            AdmissionBench.good(target.sidecars, parts.load.run(job(target, warmUp, WARM_UP_RATE)));
        }
        // A turn of each that does not count: what runs under events is compiled then.
        stir(parts, targets, Phase.WARM_UP);
        Stirred all = Stirred.NONE;
        for (int round = 0; round < rounds; round++) {
            Stirred stirred = stir(parts, targets, Phase.MEASURED);
            idle(parts, targets, stirred.turns);
            all = all.plus(stirred);
        }
        report(out, targets, all);
        int wrong = awaitCounts(parts);
        out.println("Sets whose status does not count what is stored: " + wrong);
        out.flush();
        return wrong;
    }

    private enum Phase {
        WARM_UP, MEASURED
    }

    /**
     * What the bursts of events took.
     *
     * @param nanos until the controller had seen them all
     * @param cpu of the controller meanwhile, reviews included
     * @param turns of reviews to each server meanwhile
     */
    private record Stirred(long nanos, long cpu, int turns) {
        static final Stirred NONE = new Stirred(0, 0, 0);

        Stirred plus(Stirred other) {
            return new Stirred(nanos + other.nanos, cpu + other.cpu, turns + other.turns);
        }
    }

    /** Sends reviews in turns while events come, until the controller has seen them all. */
    private Stirred stir(Parts parts, List<Target> targets, Phase phase) throws IOException {
        long wanted = seen(parts) + events;
        long before = Cost.ofJson(parts.controller.ask("cost")).cpu().toNanos();
        long begin = System.nanoTime();
        CompletableFuture<String> source = CompletableFuture
                .supplyAsync(() -> parts.server.ask("stir " + events + " " + eventsPerSecond));
        int turns = 0;
        long end = begin;
        do {
            for (Target target : targets) {
                Job.Outcome outcome = AdmissionBench.good(target.sidecars, parts.load.run(job(target, TURN, rate)));
                if (phase == Phase.MEASURED) {
                    target.busy.add(outcome, Tally.Used.NONE, Tally.Used.NONE);
                }
            }
            turns++;
            end = System.nanoTime();
            if (end - begin > PATIENCE.toNanos()) {
                throw new IllegalStateException("the controller has seen " + (seen(parts) - wanted + events) + " of " + events + " events");
            }
        } while (!source.isDone() || seen(parts) < wanted);
        source.join();
        long cpu = Cost.ofJson(parts.controller.ask("cost")).cpu().toNanos() - before;
        awaitRest(parts);
        return new Stirred(end - begin, cpu, turns);
    }

    /** The sets are still looked at and their status written for a while. */
    private static void awaitRest(Parts parts) {
        Waiting.until("the controller has nothing more to do", PATIENCE, () -> parts.metrics.of(DEPTH) + parts.metrics.of(BUSY) == 0);
    }

    private void idle(Parts parts, List<Target> targets, int turns) throws IOException {
        for (int turn = 0; turn < turns; turn++) {
            for (Target target : targets) {
                target.idle.add(AdmissionBench.good(target.sidecars, parts.load.run(job(target, TURN, rate))), Tally.Used.NONE,
                        Tally.Used.NONE);
            }
        }
    }

    private static Job job(Target target, int requests, int perSecond) {
        return new Job(target.port, AdmissionBench.PODS, Job.Pods.USUAL, CONNECTIONS, 1, requests, perSecond,
                Job.Start.OPEN);
    }

    private void report(PrintWriter out, List<Target> targets, Stirred all) {
        long sum = (long) events * rounds;
        out.printf(Locale.ROOT,
                "%,d events of Pods and %,d of sets, seen within %.1f s: %,.0f Pods in a second, %.0f µs of the controller's "
                        + "CPU for each, reviews included%n%n",
                sum, sum / Population.PODS_PER_SET_EVENT, all.nanos / SECOND,
                sum / (all.nanos / SECOND), all.cpu / 1e3 / sum);
        out.println("| What | Reviews | p50 | p99 | longest |");
        out.println("|---|---|---|---|---|");
        for (Target target : targets) {
            row(out, target.idle);
            row(out, target.busy);
        }
        out.println();
        for (Target target : targets) {
            out.printf(Locale.ROOT, "%s: p99 %.2f times that without events%n", target.busy.name(),
                    (double) target.busy.quantile(P99) / target.idle.quantile(P99));
        }
        out.flush();
    }

    private static void row(PrintWriter out, Tally tally) {
        out.printf(Locale.ROOT, "| %s | %,d | %.2f ms | %.2f ms | %.2f ms |%n", tally.name(), tally.requests(), tally.quantile(.5) / MILLI,
                tally.quantile(P99) / MILLI, tally.quantile(1) / MILLI);
    }
}

package dev.pillion.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

import dev.pillion.api.Json;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;
import dev.pillion.match.SetIndex;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * {@code pillion bench admission}: what the review of a Pod takes and costs, by the number of sets, beside an echo on the same server.
 * The servers run in this process, one per number of sets; the load comes from another process over TLS and HTTP/2. All kinds of requests
 * take turns in every round, so that whatever else the machine does hits all of them.
 */
@Command(name = "admission", mixinStandardHelpOptions = true, description = "Latency, server CPU and memory of injecting Pods over TLS, beside an echo endpoint; and a burst of creates.")
final class AdmissionBench implements Callable<Integer> {
    static final String PODS = "/mutate-pod";
    private static final int MANY_VARIABLES = 1500;
    /** Workloads that take turns where none is to be known any more from the time before. */
    private static final int NEVER_SEEN = 500;
    /** Of the CPU of a turn of warming up: as little may still go into compiling. */
    private static final double COMPILER_SHARE = .03;
    private static final int MOST_TURNS = 10;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--connections", paramLabel = "N", defaultValue = "4", description = "Connections of the load (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--streams", paramLabel = "N", defaultValue = "1", description = "Requests under way on each connection (default: ${DEFAULT-VALUE}).")
    private int streams;

    @Option(names = "--requests", paramLabel = "N", defaultValue = "6000", description = "Requests of one kind in a round; CPU is told in steps of 10 ms (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "9", description = "Rounds; the median of their CPU counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", paramLabel = "N", defaultValue = "10000", description = "Requests of each kind in a turn of warming up; there are up to ten, until the compiler rests (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--sets", paramLabel = "N", split = ",", defaultValue = "1,100,1000,10000", description = "Numbers of sets; three of them take the Pods (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Option(names = "--workloads", paramLabel = "N", defaultValue = "16", description = "Workloads that the Pods come from in turn; Pods of one differ in uid and token (default: ${DEFAULT-VALUE}).")
    private int workloads;

    @Option(names = "--burst", paramLabel = "N", defaultValue = "1000", description = "Creates sent at once in the end, 0 for none (default: ${DEFAULT-VALUE}).")
    private int burst;

    /** One kind of request: where it goes, and how many sidecars come back. */
    private record Target(int port, Job.Pods pods, int sidecars, Tally tally) {
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Credentials credentials = new CertMaker(new SecureRandom(), List.of("127.0.0.1")).fresh(Instant.now());
        CertChanged certificate = new CertChanged(credentials.serving().certificatePem(), credentials.serving().keyPem());
        List<BenchServer> servers = new ArrayList<>();
        try (LoadProcess load = LoadProcess.start(credentials.authority().certificatePem())) {
            Job.Pods usual = new Job.Pods(SamplePods.USUAL_VARIABLES, workloads);
            out.printf(Locale.ROOT,
                    "Java %s, %s, %d processors; %d connections with %d requests each under way, reviews of %.1f KiB of %d workloads%n%n",
                    Runtime.version(), System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors(), connections, streams,
                    usual.reviews().getFirst().length / 1024.0, workloads);
            out.flush();
            Map<Integer, Target> bySize = new LinkedHashMap<>();
            List<Target> all = new ArrayList<>();
            Target echo = new Target(add(servers, BenchServer.echo(certificate)), usual, 0, new Tally("echo"));
            all.add(echo);
            for (int size : sizes) {
                int matching = Math.min(size, SampleSets.MATCHING);
                int port = add(servers, BenchServer.admission(SetIndex.of(SampleSets.admitting(size)), certificate));
                bySize.put(size, new Target(port, usual, matching,
                        new Tally(String.format(Locale.ROOT, "%,d sets, %d of them inject", size, matching))));
            }
            all.addAll(bySize.values());
            Target last = all.getLast();
            all.add(new Target(last.port, new Job.Pods(SamplePods.USUAL_VARIABLES, NEVER_SEEN), last.sidecars,
                    new Tally("the same, each Pod of another workload")));
            all.add(new Target(last.port, new Job.Pods(MANY_VARIABLES, 1), last.sidecars,
                    new Tally("the same, Pod with 1,500 variables")));
            int lastSize = sizes.getLast();
            all.add(new Target(
                    add(servers, BenchServer.admission(SetIndex.of(SampleSets.pinned(SampleSets.admitting(lastSize))), certificate)),
                    usual, last.sidecars, new Tally("the same, usual Pod, sets pin a revision")));
            measure(load, all);
            out.println(Tally.head());
            all.forEach(t -> out.println(t.tally.row()));
            out.println();
            Tally smallest = bySize.values().iterator().next().tally;
            for (Map.Entry<Integer, Target> entry : bySize.entrySet()) {
                Tally tally = entry.getValue().tally;
                out.printf(Locale.ROOT, "Server CPU at %,d sets: %.2f times that at %,d, %.2f times the echo's%n", entry.getKey(),
                        tally.times(smallest), sizes.getFirst(), tally.times(echo.tally));
            }
            out.flush();
            if (burst > 0) {
                out.println(Burst.run(load, last.port, burst));
            }
        } finally {
            servers.forEach(BenchServer::close);
        }
        return 0;
    }

    private static int add(List<BenchServer> servers, BenchServer server) {
        servers.add(server);
        return server.port();
    }

    private void measure(LoadProcess load, List<Target> all) throws IOException {
        warm(load, all);
        for (int round = 0; round < rounds; round++) {
            for (Target target : all) {
                Tally.Used before = Tally.Used.now();
                Job.Outcome outcome = load.run(job(target, requests));
                target.tally.add(good(target.sidecars, outcome), before, Tally.Used.now());
            }
        }
    }

    /** In turns, until the compiler has little left to do; on a machine that others use it is long behind. */
    private void warm(LoadProcess load, List<Target> all) throws IOException {
        boolean busy = true;
        for (int turn = 0; busy && turn < MOST_TURNS; turn++) {
            Cost before = Cost.ofThisProcess();
            for (Target target : all) {
                good(target.sidecars, load.run(job(target, warmUp)));
            }
            Cost used = Cost.ofThisProcess().since(before);
            busy = used.compiler().toNanos() > COMPILER_SHARE * used.cpu().toNanos();
        }
    }

    private Job job(Target target, int count) {
        return new Job(target.port, PODS, target.pods, connections, streams, count, 0, Job.Start.OPEN);
    }

    /** Figures count only if the work was done. */
    static Job.Outcome good(int wanted, Job.Outcome outcome) {
        if (outcome.bad() > 0) {
            throw new IllegalStateException(outcome.bad() + " requests failed, the last one with " + outcome.answer());
        }
        int sidecars = 0;
        String patch = Json.text(Json.read(outcome.answer()).path("response"), "patch");
        for (JsonNode op : patch.isEmpty() ? Json.NODES.arrayNode() : Json.read(Base64.getDecoder().decode(patch))) {
            sidecars += Json.text(op.path("value"), "name").startsWith("sidecar-") ? 1 : 0;
        }
        if (sidecars != wanted) {
            throw new IllegalStateException(sidecars + " sidecars instead of " + wanted + " in " + outcome.answer());
        }
        return outcome;
    }
}

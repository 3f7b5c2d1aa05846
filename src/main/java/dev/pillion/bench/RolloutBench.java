package dev.pillion.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.pillion.bench.RolloutTrial.ManagedFields;
import dev.pillion.kube.KubeException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code pillion bench rollout}: what a roll-out costs the controller and how long it takes, by the number of Pods. */
@Command(name = "rollout", mixinStandardHelpOptions = true, description = {
        "Roll-outs over more and more Pods: time, CPU of the controller's process, requests, heap, and whether maxUnavailable was kept.",
        "Starts everything it needs on loopback and removes it again."})
final class RolloutBench implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final String EVERYTHING = "100%";
    private static final String AUDIT = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            omitManagedFields: true
            rules:
            - level: RequestResponse
              verbs: [create, update, patch, delete, deletecollection]
            - level: Metadata
            """;

    /**
     * Server, kubelet, judge and controller share the machine, so the server leaves out what the measurement has no use for: shares of
     * its capacity for different clients, and the check of Pods against security standards, which needs a watch of all Pods for itself.
     */
    private static final List<String> FLAGS = List.of("--enable-priority-and-fairness=false", "--disable-admission-plugins=PodSecurity");

    /** Which API server to measure with. */
    enum Server {
        AUTO, REAL, SANDBOX
    }

    private final Map<String, String> environment;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--pods", paramLabel = "N", split = ",", defaultValue = "1000,2000,4000,8000,16000", description = "Numbers of Pods, ascending (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Option(names = "--at-once", paramLabel = "N|N%", split = ",", defaultValue = "20,5%", description = "Values of maxUnavailable (default: 20 and 5%%). Before the first one the Pods look as if they were never upgraded.")
    private List<String> atOnce = List.of();

    @Option(names = "--kubelet", paramLabel = "MILLIS", defaultValue = "300", description = "How long a container takes to start anew, in ms (default: ${DEFAULT-VALUE}).")
    private int kubeletMillis;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "16", description = "Writes in flight, of controller and plain client alike (default: ${DEFAULT-VALUE}).")
    private int parallel;

    @Option(names = "--warm-up", paramLabel = "N", defaultValue = "3", description = "Roll-outs over the first number of Pods that are not counted (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--without-steady", description = "Leave out the client that keeps maxUnavailable, which takes as long as a roll-out.")
    private boolean withoutSteady;

    @Option(names = "--without-managed-fields", description = "Have the API server keep no record of who wrote which field of a Pod, which is a third of its work for each write.")
    private boolean withoutManagedFields;

    @Option(names = "--jvm", paramLabel = "OPTION", description = "A further option of the controller's JVM, such as a flight recording; may be repeated.")
    private List<String> jvm = List.of();

    @Option(names = "--server", defaultValue = "auto", description = "auto, real or sandbox (default: ${DEFAULT-VALUE}: the real kube-apiserver if KUBEBUILDER_ASSETS names one or src/it/apiserver/prepare has built it).")
    private Server server = Server.AUTO;

    RolloutBench(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Integer call() throws Exception {
        check();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        long began = System.nanoTime();
        List<RolloutRow> rows = new ArrayList<>();
        AuditStream audit = new AuditStream();
        try (TargetServer api = start(audit)) {
            out.println("API server: " + api.name() + "; " + Machine.describe());
            RolloutRow.HEAD.forEach(out::println);
            out.flush();
            var options = new RolloutTrial.Options(Duration.ofMillis(kubeletMillis), parallel,
                    withoutManagedFields ? ManagedFields.DROPPED : ManagedFields.KEPT, jvm);
            try (RolloutTrial trial = new RolloutTrial(api, audit, options, line -> {
                err.println(line);
                err.flush();
            })) {
                measure(trial, row -> {
                    rows.add(row);
                    out.println(row.line());
                    row.violations().forEach(err::println);
                    out.flush();
                });
            }
        } catch (IllegalStateException | KubeException e) {
            err.println("pillion: " + e.getMessage());
            return FAILED;
        }
        err.printf(Locale.ROOT, "took %.0f s%n", (System.nanoTime() - began) / 1e9);
        return rows.stream().allMatch(row -> row.violations().isEmpty()) ? 0 : FAILED;
    }

    private void measure(RolloutTrial trial, Consumer<RolloutRow> each) {
        for (int size : sizes) {
            trial.grow(size);
            trial.startController();
            if (size == sizes.getFirst()) {
                for (int i = 0; i < warmUp; i++) {
                    trial.rollOut(EVERYTHING, RolloutTrial.Others.NONE);
                }
            }
            Duration plain = trial.plain();
            trial.startController();
            Map<String, Duration> steady = new HashMap<>();
            for (String limit : atOnce) {
                if (!withoutSteady && !limit.endsWith("%") && !steady.containsKey(limit)) {
                    steady.put(limit, trial.steady(Integer.parseInt(limit)));
                    trial.startController();
                }
            }
            trial.forgetConditions();
            atOnce.forEach(limit -> each.accept(
                    trial.rollOut(limit, new RolloutTrial.Others(plain, steady.getOrDefault(limit, Duration.ZERO)))));
            trial.stopController();
        }
    }

    private TargetServer start(AuditStream audit) {
        Optional<Assets> assets = server == Server.SANDBOX ? Optional.empty() : Assets.find(environment, Optional.empty());
        if (assets.isEmpty() && server == Server.REAL) {
            throw new IllegalStateException("there is no kube-apiserver: run src/it/apiserver/prepare, or set "
                    + "KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd");
        }
        return assets.<TargetServer>map(a -> RealApiServer.start(a, setup(audit))).orElseGet(() -> SandboxServer.start(audit::follow));
    }

    private static RealApiServer.Setup setup(AuditStream audit) {
        List<RealApiServer.User> users = Stream.of(TargetServer.BENCH, TargetServer.CONTROLLER)
                .map(name -> new RealApiServer.User(name, List.of(RealApiServer.User.MASTERS))).toList();
        return new RealApiServer.Setup(users, AUDIT, FLAGS, Optional.of(audit::follow));
    }

    private void check() {
        if (sizes.isEmpty() || sizes.getFirst() < 2 || !sizes.equals(sizes.stream().distinct().sorted().toList())) {
            throw new ParameterException(spec.commandLine(), "--pods = " + sizes + " is not allowed; allowed: ascending numbers from 2");
        }
        for (String limit : atOnce) {
            if (!limit.matches("[1-9][0-9]{0,6}|([1-9][0-9]?|100)%")) {
                throw new ParameterException(spec.commandLine(),
                        "--at-once = \"" + limit + "\" is not allowed; allowed: a number such as 20, or a percentage such as 5%");
            }
        }
    }
}

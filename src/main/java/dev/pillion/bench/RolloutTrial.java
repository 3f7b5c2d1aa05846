package dev.pillion.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.demo.AuditLog;
import dev.pillion.demo.Judge;
import dev.pillion.kube.PodWrites;
import dev.pillion.podmeta.PodViews;
import dev.pillion.rollout.PodPatch;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster with one set, and roll-outs of it. The controller is a process of its own that stays warm while the controller in it is
 * stopped and started; server, generator, kubelet and plain client are outside of it.
 */
final class RolloutTrial implements AutoCloseable {
    private static final String SET = "bench";
    private static final Map<String, String> LABELS = Map.of("app", "bench");
    private static final Duration STALL = Duration.ofSeconds(90);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final String NO_CONDITION = "{\"status\":{\"conditions\":[{\"type\":\"" + Wire.UPGRADABLE_CONDITION
            + "\",\"$patch\":\"delete\"}]}}";

    private static final String NO_FIELDS = "{\"metadata\":{\"managedFields\":[{}]}}";

    /** Whether the server keeps a record of who wrote which field of a Pod, which takes it a third of its CPU for each write. */
    enum ManagedFields {
        KEPT, DROPPED
    }

    /**
     * What all roll-outs have in common.
     *
     * @param kubelet from a changed image to the container being ready again
     * @param parallel writes in flight, of controller and plain client alike
     * @param jvm further options of the controller's JVM
     */
    record Options(Duration kubelet, int parallel, ManagedFields fields, List<String> jvm) {
        Options {
            jvm = List.copyOf(jvm);
        }
    }

    private final Options options;
    private final Consumer<String> progress;
    private final TargetServer server;
    private final AuditStream audit;
    private final Cluster cluster;
    private final Simulators kubelet;
    private final PartProcess controller;
    private int tag = 1;
    private int pods;

    RolloutTrial(TargetServer server, AuditStream audit, Options options, Consumer<String> progress) {
        this.server = server;
        this.options = options;
        this.progress = progress;
        this.audit = audit;
        this.cluster = Cluster.prepare(server);
        SimOptions nodes = SimOptions.defaults().withDelays(Delay.of(0, 0), new Delay(options.kubelet, options.kubelet), Delay.of(0, 0));
        this.kubelet = Simulators.startKubelet(Optional.of(server.kubeconfig(TargetServer.BENCH)), nodes);
        cluster.apply(SampleSets.defaulted(SampleSets.small(SET, LABELS, image())));
        // A compiler thread that ends takes its CPU time out of /proc.
        List<String> jvm = new ArrayList<>(List.of("-XX:-UseDynamicNumberOfCompilerThreads"));
        jvm.addAll(options.jvm);
        this.controller = PartProcess.start(Scratch.create("controller"), jvm,
                List.of("controller", "--kubeconfig", server.kubeconfig(TargetServer.CONTROLLER).toString(), "--",
                        "--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0",
                        "--rollout.parallel-writes=" + options.parallel));
    }

    private String image() {
        return "registry.example/agent:t" + tag;
    }

    /** Creates Pods of the set's present version until there are that many, and waits until they are ready. */
    void grow(int wanted) {
        long began = System.nanoTime();
        StoredPods samples = new StoredPods(Cluster.NAMESPACE, List.of(cluster.set(SET)));
        List<Integer> numbers = IntStream.range(pods, wanted).boxed().toList();
        InParallel.run(numbers, options.parallel, number -> create(samples.pod(number, LABELS)));
        pods = Math.max(pods, wanted);
        awaitReady();
        progress.accept(String.format(Locale.ROOT, "%,d Pods created in %.1f s", numbers.size(), (System.nanoTime() - began) / 1e9));
    }

    private void create(ObjectNode pod) {
        PodView created = PodViews.of(cluster.apply(pod));
        if (options.fields == ManagedFields.DROPPED) {
            // Once a client has emptied the record, the server keeps none of that object.
            cluster.client().podWrites().patchStatus(created.key(), NO_FIELDS);
        }
    }

    private void awaitReady() {
        Waiting.whileItMoves("all Pods run what they should", STALL, pods, audit::settledPods);
    }

    void startController() {
        long began = System.nanoTime();
        controller.ask("start");
        cluster.awaitObserved(SET);
        progress.accept(String.format(Locale.ROOT, "controller started in %.1f s", (System.nanoTime() - began) / 1e9));
    }

    void stopController() {
        controller.ask("stop");
    }

    /** Takes the condition off all Pods, so that the next roll-out writes it as it does for Pods that were never upgraded. */
    void forgetConditions() {
        PodWrites writes = cluster.client().podWrites();
        List<PodView> marked = views().stream().filter(p -> p.upgradable().isPresent()).toList();
        InParallel.run(marked, options.parallel, pod -> writes.patchStatus(pod.key(), NO_CONDITION));
    }

    private List<PodView> views() {
        audit.awaitMark(cluster.mark());
        return audit.pods().stream().map(PodViews::of).toList();
    }

    /** What others took for as many Pods: the plain client, and the one that keeps the limit; zero where not measured. */
    record Others(Duration plain, Duration steady) {
        static final Others NONE = new Others(Duration.ZERO, Duration.ZERO);
    }

    RolloutRow rollOut(String atOnce, Others others) {
        audit.awaitMark(cluster.mark());
        audit.next();
        Cost before = Cost.ofJson(controller.ask("cost"));
        CpuShares everybodyBefore = CpuShares.now(server);
        tag++;
        change(atOnce, false);
        awaitRolledOut();
        Cost cost = Cost.ofJson(controller.ask("cost")).since(before);
        CpuShares everybody = CpuShares.now(server).since(everybodyBefore);
        audit.awaitMark(cluster.mark());
        AuditStream.Phase phase = audit.next();
        List<AuditLog.Write> writes = new ArrayList<>(phase.before());
        writes.addAll(phase.writes());
        Judge.Verdict verdict = Judge.judge(AuditLog.inOrder(writes), SET, GRACE);
        Instant began = phase.writes().stream().filter(w -> w.isOn("sidecarsets") && w.subresource().isEmpty()).map(AuditLog.Write::at)
                .min(Instant::compareTo).orElseThrow();
        Duration wall = Duration.between(began, AuditStream.lastStatus(phase.writes()));
        return new RolloutRow(pods, atOnce, wall, others, ideal(atOnce), cost, everybody, phase.requests(TargetServer.CONTROLLER, "write"),
                phase.requests(TargetServer.CONTROLLER, "read"), verdict.mostUnavailable(), verdict.violations(),
                Long.parseLong(controller.ask("heap")));
    }

    private Duration ideal(String atOnce) {
        if (atOnce.endsWith("%")) {
            return Duration.ZERO;
        }
        int batches = Math.ceilDiv(pods, Integer.parseInt(atOnce));
        return options.kubelet.multipliedBy(batches);
    }

    private void change(String atOnce, boolean paused) {
        ObjectNode set = SampleSets.small(SET, LABELS, image());
        ObjectNode strategy = set.withObject("/spec/updateStrategy").put("paused", paused);
        if (atOnce.endsWith("%")) {
            strategy.put("maxUnavailable", atOnce);
        } else {
            strategy.put("maxUnavailable", Integer.parseInt(atOnce));
        }
        cluster.apply(set);
    }

    private void awaitRolledOut() {
        Waiting.whileItMoves("the status counts all Pods as updated and ready", STALL, pods, () -> {
            SidecarSet set = cluster.set(SET);
            return Cluster.isObserved(set) ? set.status().updatedReadyPods() : 0;
        });
    }

    /**
     * The same upgrades by a client that knows nothing but a list: one strategic merge patch for each Pod, as many at a time as the
     * controller writes, no limit and no condition. The controller is stopped meanwhile.
     */
    Duration plain() {
        return byHand(options.parallel, _ -> {
        });
    }

    /** The same, but never more Pods at once than the limit: the next one is begun when one is ready again. */
    Duration steady(int limit) {
        return byHand(limit, pod -> audit.awaitSettled(pod.key(), Long.parseLong(pod.resourceVersion())));
    }

    private Duration byHand(int lanes, Consumer<PodView> afterwards) {
        tag++;
        change("1", true);
        SidecarSet set = cluster.awaitObserved(SET);
        stopController();
        List<PodView> pending = views();
        audit.next();
        PodWrites writes = cluster.client().podWrites();
        InParallel.run(pending, lanes, pod -> afterwards.accept(writes.patch(pod.key(),
                PodPatch.upgrade(set, pod, Map.of(), set.status().latestRevision(), RolloutOptions.PILLION, Instant.now()))));
        audit.awaitMark(cluster.mark());
        awaitReady();
        audit.awaitMark(cluster.mark());
        List<AuditLog.Write> phase = audit.next().writes();
        Instant began = phase.stream().filter(w -> w.isOn("pods")).map(AuditLog.Write::at).min(Instant::compareTo).orElseThrow();
        return Duration.between(began, AuditStream.lastStatus(phase));
    }

    @Override
    public void close() {
        controller.close();
        kubelet.close();
        cluster.close();
    }
}

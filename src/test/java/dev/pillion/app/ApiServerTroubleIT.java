package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.fabric8.kubernetes.client.Config;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.FaultProxy;
import dev.pillion.it.FaultProxy.Fault;
import dev.pillion.it.FaultProxy.Kind;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.TcpProxy;
import dev.pillion.it.TcpProxy.Mode;

/**
 * Roll-outs in whose middle the API server is started anew, its store hangs, the network goes silent or requests fail (FR-60): the
 * controller recovers without a restart, its probes tell the truth, the limit holds and nothing is lost.
 */
@OnEveryCluster
final class ApiServerTroubleIT {
    private static final int PODS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration REQUEST = Duration.ofSeconds(3);
    private static final List<String> SHORT = List.of("--kube.request-timeout=" + REQUEST.toSeconds() + "s", "--kube.watch-timeout=5s");
    private static final String SILENCE = "--health.watch-silence=10s";
    private static final String SILENT = "watch: no sign of life for 10 s: ";

    private final Cluster cluster;
    private final String own;
    private final List<AutoCloseable> running = new ArrayList<>();

    @TempDir
    private Path folder;

    ApiServerTroubleIT(Cluster cluster) {
        this.cluster = cluster;
        this.own = cluster.newNamespace("own");
    }

    @BeforeEach
    void prepare() {
        Scenario.prepare(cluster);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : running.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T closed(T one) {
        running.add(one);
        return one;
    }

    private Replica replica() {
        return closed(Replica.launch(cluster.controllerKubeconfig(own), own, SHORT.get(0), SHORT.get(1), SILENCE));
    }

    private URI server() {
        return URI.create(Config.fromKubeconfig(cluster.kubeconfigText()).getMasterUrl());
    }

    /** Reaches the cluster at another address. */
    private Replica replicaThrough(String url, String silence) throws IOException {
        String direct = Files.readString(cluster.controllerKubeconfig(own));
        Path through = Files.writeString(folder.resolve("kubeconfig"), direct.replace("https://" + server().getAuthority(), url));
        return closed(Replica.launch(through, own, SHORT.get(0), SHORT.get(1), silence));
    }

    /** A roll-out of which something is done and something not yet; a node runs what Pods ask for until the end of the test. */
    private Trial begun(String name) {
        Trial trial = closed(RunningCluster.around(cluster, own)).trial(name);
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":2}"));
        trial.pods(names().toArray(String[]::new));
        trial.awaitStatus("%d/%d/%d/%d".formatted(PODS, PODS, PODS, PODS));
        closed(new QuickNode(trial));
        trial.roll("v2");
        Eventually.until("the roll-out is in its middle", PATIENCE, trial::updated, u -> u.size() >= 4 && u.size() < PODS - 4);
        return trial;
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < PODS; i++) {
            names.add("p%02d".formatted(i));
        }
        return names;
    }

    /** All Pods are updated, the limit held, and no Pod was written twice. */
    private static void assertCompletes(Trial trial) {
        Eventually.until("all Pods are updated", PATIENCE, trial::updated, names()::equals);
        String all = "%d/%d/%d/%d".formatted(PODS, PODS, PODS, PODS);
        Eventually.until("the status counts all Pods", PATIENCE, trial::counts, all::equals);
        trial.assertLimitKept();
        assertThat(trial.verdict().podWrites().values()).as("writes of each Pod").allMatch(n -> n == 1);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void awaitUnready(Probes probes) {
        Eventually.until("it is not ready", PATIENCE, () -> !probes.isReady());
    }

    private static void awaitReady(Probes probes) {
        Eventually.until("it is ready again", PATIENCE, probes::isReady);
    }

    /** No flood, no stack: so many lines are enough to say what happens. */
    private static void assertQuiet(Replica replica, int linesBefore, int most) {
        List<String> lines = replica.process().output().lines().toList();
        assertThat(lines.subList(linesBefore, lines.size())).hasSizeLessThan(most).noneMatch(l -> l.startsWith("\tat "))
                .noneMatch(l -> l.contains(" ERROR "));
    }

    private static int lines(Replica replica) {
        return (int) replica.process().output().lines().count();
    }

    @Test
    void anApiServerThatIsStartedAnewIsNoticedAndTheRollOutGoesOn() throws Exception {
        Replica replica = replica();
        replica.awaitLead(PATIENCE);
        Trial trial = begun("restarted");
        Probes probes = closed(new Probes(replica));
        Eventually.until("it is asked", probes::isReady);
        int before = lines(replica);

        long stop = System.nanoTime();
        cluster.stopServing();
        awaitUnready(probes);
        Duration noticed = since(stop);
        cluster.serveAgain();
        long back = System.nanoTime();
        awaitReady(probes);
        Duration recovered = since(back);

        assertCompletes(trial);
        probes.assertUnreadyFor(SILENT);
        assertQuiet(replica, before, 80);
        System.out.printf(
                "%s: API server stopped: unready after %d ms; ready %d ms after it served again, roll-out complete after %d ms, %d log lines%n",
                cluster.name(), noticed.toMillis(), recovered.toMillis(), since(back).toMillis(), lines(replica) - before);
    }

    @Test
    void aStoreThatHangsForLongerThanTheLeaseCostsTimeOnly() throws Exception {
        List<Replica> replicas = List.of(replica(), replica());
        replicas.forEach(Replica::awaitReady);
        Eventually.until("one leads", PATIENCE, () -> replicas.stream().filter(Replica::mayLead).count() == 1);
        Trial trial = begun("hanging");
        List<Probes> probes = replicas.stream().map(r -> closed(new Probes(r))).toList();
        int before = replicas.stream().mapToInt(ApiServerTroubleIT::lines).sum();

        cluster.freezeStore();
        long frozen = System.nanoTime();
        try {
            Eventually.until("nobody leads", PATIENCE, () -> replicas.stream().noneMatch(Replica::mayLead));
            for (Replica replica : replicas) {
                Eventually.until("it tells of the Leases", PATIENCE, () -> replica.get("/readyz"), t -> t.contains("note: shard: Lease "));
            }
            Eventually.until("every deadline has passed", PATIENCE, () -> since(frozen).compareTo(Replica.DURATION.plus(REQUEST)) > 0);
        } finally {
            cluster.thawStore();
        }
        Duration pause = since(frozen);
        long thawed = System.nanoTime();
        Eventually.until("one leads again", PATIENCE, () -> replicas.stream().filter(Replica::mayLead).count() == 1);
        Duration led = since(thawed);

        assertCompletes(trial);
        assertThat(new Story(cluster, own).byNoLeader(trial)).isEmpty();
        // What the API server shows from its cache is as new as anything: no reason to be unready.
        probes.forEach(Probes::assertLiveAndReady);
        System.out.printf("%s: store frozen for %d ms: led again %d ms after it went on, roll-out complete after %d ms, %d log lines of two"
                + " replicas%n", cluster.name(), pause.toMillis(), led.toMillis(), since(thawed).toMillis(),
                replicas.stream().mapToInt(ApiServerTroubleIT::lines).sum() - before);
    }

    @Test
    void aSilentNetworkIsToldWhenItIsDueAndHealsByItself() throws Exception {
        TcpProxy network = closed(new TcpProxy(server().getPort()));
        Replica replica = replicaThrough("https://127.0.0.1:" + network.port(), SILENCE);
        replica.awaitLead(PATIENCE);
        Trial trial = begun("silent");
        Probes probes = closed(new Probes(replica));
        Eventually.until("it is asked", probes::isReady);
        int before = lines(replica);

        network.set(Mode.SILENT);
        long lost = System.nanoTime();
        awaitUnready(probes);
        Duration noticed = since(lost);
        assertThat(replica.injects(trial.name())).as("whoever reaches its webhook is answered").isTrue();
        network.set(Mode.PASS);
        long back = System.nanoTime();
        awaitReady(probes);
        Duration recovered = since(back);

        assertCompletes(trial);
        probes.assertUnreadyFor(SILENT);
        assertQuiet(replica, before, 80);
        System.out.printf(
                "%s: network silent: unready after %d ms; ready %d ms after it passed, roll-out complete after %d ms, %d log lines%n",
                cluster.name(), noticed.toMillis(), recovered.toMillis(), since(back).toMillis(),
                lines(replica) - before);
    }

    /** FR-61: watches are refused and everything else is answered. Sets are listed then, and the replica is ready with good reason. */
    @Test
    void aSetIsKnownAlthoughNoWatchComes() throws Exception {
        FaultProxy faults = closed(new FaultProxy(server()));
        Replica replica = replicaThrough(faults.url(), "--health.watch-silence=60s");
        replica.awaitLead(PATIENCE);
        replica.awaitReady();
        Probes probes = closed(new Probes(replica));

        faults.plan((kind, _) -> kind == Kind.WATCH ? Fault.TOO_MANY : Fault.NONE);
        Eventually.until("the watches that were open have ended", PATIENCE, () -> faults.made(Fault.TOO_MANY) > 20);
        Trial trial = closed(RunningCluster.around(cluster, own)).trial("unwatched");
        long stored = System.nanoTime();
        trial.create(Trial.agent("v1", "{\"type\":\"NotUpdate\"}"));
        Duration known = since(stored);

        assertThat(replica.injects(trial.name())).isTrue();
        probes.assertLiveAndReady();
        System.out.printf("%s: no watch comes: a new set is known and its status written after %d ms%n", cluster.name(), known.toMillis());
    }

    /** A third of all writes and four of ten reads and watches fail. */
    private static Fault unlucky(Kind kind, int before) {
        return switch (kind) {
            case WRITE -> first(before, Map.of(9, Fault.TOO_MANY, 13, Fault.INTERNAL, 17, Fault.UNAVAILABLE, 19, Fault.DONE_BUT_UNAVAILABLE,
                    23, Fault.CUT));
            case READ -> first(before, Map.of(5, Fault.UNAVAILABLE, 7, Fault.TOO_MANY, 11, Fault.CUT));
            case WATCH -> first(before, Map.of(4, Fault.EXPIRED, 6, Fault.INTERNAL, 9, Fault.TOO_MANY));
        };
    }

    /** The one that comes every so many requests, the rarest first; none with the first request. */
    private static Fault first(int before, Map<Integer, Fault> every) {
        return every.entrySet().stream().sorted(Map.Entry.<Integer, Fault>comparingByKey().reversed())
                .filter(e -> before % e.getKey() == e.getKey() - 1).map(Map.Entry::getValue).findFirst().orElse(Fault.NONE);
    }

    @Test
    void aRollOutCompletesAlthoughManyRequestsFail() throws Exception {
        FaultProxy faults = closed(new FaultProxy(server()));
        Replica replica = replicaThrough(faults.url(), "--health.watch-silence=60s");
        replica.awaitLead(PATIENCE);
        Trial trial = closed(RunningCluster.around(cluster, own)).trial("unlucky");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":2}"));
        trial.pods(names().toArray(String[]::new));
        closed(new QuickNode(trial));
        Probes probes = closed(new Probes(replica));
        int before = lines(replica);

        faults.plan(ApiServerTroubleIT::unlucky);
        long began = System.nanoTime();
        trial.roll("v2");
        assertCompletes(trial);
        Duration taken = since(began);
        faults.plan((_, _) -> Fault.NONE);

        List<Fault> kinds = List.of(Fault.TOO_MANY, Fault.INTERNAL, Fault.UNAVAILABLE, Fault.DONE_BUT_UNAVAILABLE, Fault.CUT,
                Fault.EXPIRED);
        assertThat(kinds).as("faults that happened").allMatch(f -> faults.made(f) > 0);
        int made = kinds.stream().mapToInt(faults::made).sum();
        double counted = replica.metric("pillion_reconcile_writes_total", "result=\"unavailable\"");
        assertThat(counted).as("metric of failed writes").isPositive();
        assertThat(replica.metric("pillion_watch_failures_total", "")).as("metric of failed watches").isPositive();
        probes.assertLiveAndReady();
        assertQuiet(replica, before, 100 + 2 * made);
        System.out.printf("%s: %d faults of %d requests: roll-out of %d Pods took %d ms, %.0f failed writes counted, %d log lines%n",
                cluster.name(), made, made + faults.made(Fault.NONE), PODS, taken.toMillis(), counted, lines(replica) - before);
    }
}

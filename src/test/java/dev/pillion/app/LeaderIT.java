package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.fabric8.kubernetes.client.Config;

import dev.pillion.demo.AuditLog;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.TcpProxy;
import dev.pillion.it.TcpProxy.Mode;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

/**
 * Roll-outs whose leader is killed, stopped, frozen or cut off in their middle. Judged by the audit log: the limit holds over all leaders,
 * no Pod is written twice, and the one before writes nothing once the next one has the Lease.
 */
@OnEveryCluster
final class LeaderIT {
    private static final int PODS = 60;
    /** For a roll-out that must last longer than a cut-off replica needs to find its way back: up to 10 s. */
    private static final int MANY_PODS = 100;
    private static final Delay QUICK = Delay.of(300, 600);
    private static final Delay SLOW = Delay.of(600, 1200);
    private static final int MAX_UNAVAILABLE = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final String own;
    private final List<AutoCloseable> running = new ArrayList<>();
    private @Nullable AutoCloseable simulators;

    @TempDir
    private Path folder;

    LeaderIT(Cluster cluster) {
        this.cluster = cluster;
        Scenario.prepare(cluster);
        this.own = cluster.newNamespace("own");
    }

    /** @param ready from the start of a container until it is ready */
    private void startSimulators(Delay ready) {
        simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(100, 200), ready, Delay.of(50, 100)));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : running.reversed()) {
            one.close();
        }
        if (simulators != null) {
            simulators.close();
        }
    }

    private Replica replica(Path kubeconfig, String ownNamespace) {
        Replica replica = Replica.launch(kubeconfig, ownNamespace);
        running.add(replica);
        return replica;
    }

    /** One that starts; it need not be ready yet. */
    private Replica replica() {
        return replica(cluster.controllerKubeconfig(own), own);
    }

    private Scenario scenario(String name) {
        return scenario(name, PODS, QUICK);
    }

    private Scenario scenario(String name, int pods, Delay ready) {
        startSimulators(ready);
        Scenario scenario = new Scenario(cluster, name, pods, MAX_UNAVAILABLE);
        running.add(scenario);
        return scenario;
    }

    private static void begin(Scenario scenario) {
        Eventually.until("the webhooks take a set", () -> scenario.applySet("v1"), s -> !s.hash().isEmpty());
        scenario.createPods();
        scenario.awaitComplete();
        scenario.applySet("v2");
        scenario.awaitMiddle();
    }

    private static void awaitEnd(Scenario scenario) {
        scenario.awaitComplete();
        scenario.awaitStatus();
        scenario.assertKeptTheLimit(1);
    }

    private static Replica awaitLeader(List<Replica> among) {
        return Eventually.until("one of the others leads", PATIENCE,
                () -> among.stream().filter(Replica::mayLead).toList(), leaders -> leaders.size() == 1).getFirst();
    }

    @Test
    void aKilledLeaderIsReplacedInTimeAndAStoppedOneAtOnce() throws Exception {
        Scenario scenario = scenario("replaced");
        List<Replica> others = new ArrayList<>(List.of(replica(), replica(), replica()));
        others.forEach(Replica::awaitReady);
        Replica killed = awaitLeader(others);
        others.remove(killed);
        begin(scenario);
        for (Replica other : others) {
            assertThat(other.leads()).isFalse();
            assertThat(other.isReady()).as("a replica that does not lead is ready").isTrue();
            assertThat(other.injects("replaced")).as("and serves").isTrue();
        }

        killed.process().kill();
        long kill = System.nanoTime();
        Replica stopped = awaitLeader(others);
        Duration silence = Duration.ofNanos(System.nanoTime() - kill);
        others.remove(stopped);
        assertThat(silence).isLessThan(Replica.DURATION.plusSeconds(4));

        Eventually.until("it works", PATIENCE, stopped::hasUpgraded);
        Instant signal = Instant.now();
        assertThat(stopped.process().terminate()).isZero();
        Replica last = awaitLeader(others);

        awaitEnd(scenario);
        Story story = new Story(cluster, own);
        story.assertHandedOver(killed, stopped);
        story.assertHandedOver(stopped, last);
        AuditLog.Write taken = story.take(last, 0);
        AuditLog.Write cleared = story.lastOfLeaseBefore(taken);
        assertThat(cleared.response().at("/metadata/annotations/pillion.dev~1released-by").asString("")).isEqualTo(stopped.identity());
        Duration handOver = Duration.between(signal, taken.at());
        assertThat(handOver).isLessThan(Duration.ofSeconds(2));
        assertThat(stopped.process().output()).doesNotContain("did not stop in order", " ERROR ");
        System.out.printf(
                "%s: a killed leader was replaced after %d ms; a stopped one cleared its Lease after %d ms, the next had it after %d ms%n",
                cluster.name(), silence.toMillis(), Duration.between(signal, cleared.at()).toMillis(), handOver.toMillis());
    }

    @Test
    void aFrozenLeaderWritesNothingWhenItWakesUp() throws Exception {
        Scenario scenario = scenario("frozen");
        List<Replica> both = new ArrayList<>(List.of(replica(), replica()));
        both.forEach(Replica::awaitReady);
        Replica first = awaitLeader(both);
        both.remove(first);
        Replica second = both.getFirst();
        begin(scenario);

        // A write on its way into the network cannot be called back: frozen while it waits for its Pods.
        Eventually.until("the leader waits for its Pods", PATIENCE, () -> scenario.look().moving() == MAX_UNAVAILABLE);
        first.process().pause();
        second.awaitLead(PATIENCE);
        assertThat(scenario.look().isComplete()).as("there is something left to do").isFalse();
        first.process().goOn();

        Eventually.until("it knows that it leads no more", PATIENCE, () -> !first.leads());
        awaitEnd(scenario);
        new Story(cluster, own).assertHandedOver(first, second);
        assertThat(second.leads()).isTrue();
        assertThat(first.process().output()).contains("no write is started any more");
        Eventually.until("it is ready again", PATIENCE, first::isReady);
    }

    @Test
    void aLeaderThatIsCutOffIsReplacedAndCanLeadAgain() throws Exception {
        int port = URI.create(Config.fromKubeconfig(cluster.kubeconfigText()).getMasterUrl()).getPort();
        try (TcpProxy proxy = new TcpProxy(port)) {
            Scenario scenario = scenario("cut-off", MANY_PODS, SLOW);
            String direct = Files.readString(cluster.controllerKubeconfig(own));
            Path through = Files.writeString(folder.resolve("kubeconfig"), direct.replace(":" + port, ":" + proxy.port()));
            Replica first = replica(through, own);
            first.awaitLead(PATIENCE);
            Replica second = replica();
            second.awaitReady();
            begin(scenario);

            proxy.set(Mode.CUT);
            Eventually.until("it knows that it leads no more", PATIENCE, () -> !first.leads());
            second.awaitLead(PATIENCE);
            proxy.set(Mode.PASS);
            Eventually.until("it is well again", PATIENCE, () -> first.isReady() && !first.get("/readyz").contains("shard"));
            assertThat(scenario.look().isComplete()).as("there is something left to do").isFalse();
            assertThat(second.process().terminate()).isZero();
            first.awaitLead(PATIENCE);

            awaitEnd(scenario);
            Story story = new Story(cluster, own);
            long lost = story.take(second, 0).version();
            long back = story.take(first, 1).version();
            assertThat(story.reconciles(first, lost, back)).isEmpty();
            assertThat(story.reconciles(second, back, Long.MAX_VALUE)).isEmpty();
            assertThat(story.reconciles(first, back, Long.MAX_VALUE)).as("the same process goes on").isNotEmpty();
        }
    }

    /** Two installations that know nothing of each other: what resourceVersions alone protect (FR-66). */
    @Test
    void twoLeadersWriteNoPodTwice() throws Exception {
        String other = cluster.newNamespace("other");
        Scenario scenario = scenario("two-leaders");
        Replica first = replica();
        Replica second = replica(cluster.controllerKubeconfig(other), other);
        first.awaitLead(PATIENCE);
        second.awaitLead(PATIENCE);

        begin(scenario);
        scenario.awaitComplete();
        scenario.awaitStatus();

        assertThat(scenario.verdict().podWrites().values()).as("writes of each pod").hasSizeGreaterThanOrEqualTo(PODS)
                .allMatch(n -> n == 1);
        assertThat(first.process().output() + second.process().output()).doesNotContain(" ERROR ");
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;

/**
 * Which Pods a roll-out takes, in which order and how many at a time (rollout.md 5 to 7). The audit log is the judge; one write at a time
 * shows the order.
 */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StrategyIT {
    private static final String ROLLING = "{\"type\":\"RollingUpdate\",\"maxUnavailable\":1}";

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private RunningCluster running;

    @BeforeParameterizedClassInvocation
    void start() throws InterruptedException {
        running = RunningCluster.start(cluster, "--rollout.parallel-writes=1");
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        running.close();
    }

    /** Rule 6.1: not ready ones first and free of the budget; then those ready for the shortest time; then by restarts. */
    @Test
    void theLeastUsefulPodsGoFirst() {
        Trial trial = running.trial("order");
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods("broken", "fresh", "old", "restless", "settled");
        trial.node().report("broken").broken("app", "registry.example/app:0").send();
        trial.node().report("fresh").readySince("2026-03-01T00:00:00Z").send();
        trial.node().report("old").readySince("2026-01-01T00:00:00Z").send();
        trial.node().report("restless").readySince("2026-02-01T00:00:00Z").restarts("app", 3).send();
        trial.node().report("settled").readySince("2026-02-01T00:00:00Z").send();
        trial.awaitStatus("5/5/4/4");

        trial.roll("v2");
        trial.awaitUpdated("broken", "fresh");
        trial.finish("broken", "fresh", "old", "restless", "settled");

        assertThat(trial.written()).containsExactly("broken", "fresh", "restless", "settled", "old");
        trial.assertLimitKept();
    }

    @Test
    void asManyAsMaxUnavailableAllowsAtATime() {
        Trial trial = running.trial("limit");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":\"30%\"}"));
        trial.pods("a", "b", "c", "d", "e");
        trial.awaitStatus("5/5/5/5");

        trial.roll("v2");
        Eventually.until("two Pods, since percentages round up", () -> trial.updated().size() == 2);
        trial.finish("a", "b", "c", "d", "e");

        assertThat(trial.verdict().mostUnavailable()).isEqualTo(2);
        trial.assertLimitKept();
        assertThat(trial.written()).as("one write for each Pod").hasSize(5).doesNotHaveDuplicates();
    }

    /** Steady motion, not batches: one that is done makes room for one. */
    @Test
    void theNextPodStartsAsSoonAsOneIsDone() {
        Trial trial = running.trial("steady");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":3}"));
        trial.pods("a", "b", "c", "d", "e", "f");
        trial.awaitStatus("6/6/6/6");

        trial.roll("v2");
        Eventually.until("three are on their way", () -> trial.updated().size() == 3);
        for (int done = 1; done <= 3; done++) {
            trial.node().run(trial.updated().stream().filter(p -> !trial.runs(p)).findFirst().orElseThrow());
            int begun = 3 + done;
            Eventually.until(begun + " are begun", () -> trial.updated().size() == begun);
        }
        assertThat(trial.verdict().mostUnavailable()).isEqualTo(3);
        trial.finish("a", "b", "c", "d", "e", "f");
        trial.assertLimitKept();
    }

    /** FR-30: an explicit 0 is honoured and explained; Pods that are not ready are free. */
    @Test
    void maxUnavailable0MovesNothingThatIsReadyAndSaysSo() {
        Trial trial = running.trial("zero");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":0}"));
        trial.pods("a", "b");
        trial.node().report("b").notReady().send();
        trial.awaitStatus("2/2/1/1");

        trial.roll("v2");
        trial.awaitUpdated("b");
        Eventually.until("the reason is told", trial::events,
                e -> e.size() == 1 && e.getFirst().startsWith("RolloutBlocked: 1 pod waits (" + trial.namespace() + "/a): "));

        trial.strategy("{\"maxUnavailable\":1}");
        trial.node().run("b");
        trial.finish("a", "b");
        assertThat(trial.written()).containsExactly("b", "a");
    }

    /** FR-32: the number that stays old, lowered step by step. */
    @Test
    void aPartitionKeepsThatManyAndIsLoweredStepByStep() {
        Trial trial = running.trial("partition");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":3,\"partition\":2}"));
        trial.pods("a", "b", "c");
        for (String pod : new String[]{"a", "b", "c"}) {
            trial.node().report(pod).readySince("2026-01-01T00:00:00Z").restarts("app", "cba".indexOf(pod)).send();
        }
        trial.awaitStatus("3/3/3/3");

        trial.roll("v2");
        trial.finish("a");
        trial.strategy("{\"maxUnavailable\":3,\"partition\":1}");
        trial.finish("a", "b");
        trial.strategy("{\"maxUnavailable\":3,\"partition\":\"1%\"}");
        trial.settle();
        trial.strategy("{\"maxUnavailable\":3,\"partition\":0}");
        trial.finish("a", "b", "c");
        trial.awaitWritten("a", "b", "c");

        trial.strategy("{\"maxUnavailable\":3,\"partition\":\"100%\"}");
        trial.roll("v3");
        trial.settle();
        trial.strategy("{\"maxUnavailable\":3,\"partition\":\"99%\"}");
        Eventually.until("less than 100% lets one through", () -> trial.updated().size() == 1);
        trial.strategy("{\"maxUnavailable\":3,\"partition\":\"50%\"}");
        trial.settle();
        assertThat(trial.written()).as("half of 3 Pods, rounded up, stay").hasSize(4);
    }

    @Test
    void aPausedRollOutStandsAndGoesOnWhereItWas() {
        Trial trial = running.trial("paused");
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods("a", "b", "c");
        trial.awaitStatus("3/3/3/3");

        trial.roll("v2");
        Eventually.until("the first one is written", () -> trial.updated().size() == 1);
        trial.change("/spec/updateStrategy/paused", "true");
        trial.settle();
        String first = trial.updated().iterator().next();
        trial.finish(first);
        trial.awaitStatus("3/1/3/1");
        Eventually.until("the reason is told", trial::events, e -> e.size() == 1 && e.getFirst().startsWith("RolloutWaiting: 2 pods wait")
                && e.getFirst().contains("paused"));
        assertThat(trial.written()).containsExactly(first);

        trial.change("/spec/updateStrategy/paused", "false");
        trial.finish("a", "b", "c");
        trial.assertLimitKept();
    }

    @Test
    void aSelectorLeavesOthersUntouchedUntilTheyAreSelected() {
        Trial trial = running.trial("selected");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":3,\"selector\":{\"matchLabels\":{\"canary\":\"yes\"}}}"));
        trial.pod("a", "{\"canary\":\"yes\"}");
        trial.pod("b", "{\"canary\":\"no\"}");
        trial.pod("c", "{}");
        trial.awaitStatus("3/3/3/3");

        trial.roll("v2");
        trial.finish("a");
        trial.patch("b", "{\"metadata\":{\"labels\":{\"canary\":\"yes\"}}}");
        trial.finish("a", "b");
        trial.awaitWritten("a", "b");

        trial.strategy("{\"maxUnavailable\":3}");
        trial.finish("a", "b", "c");
        var both = trial.patchSet("""
                [{"op":"add","path":"/spec/updateStrategy","value":{"partition":1,"selector":{"matchLabels":{"canary":"yes"}}}}]""");
        assertThat(both.code()).as("FR-32").isEqualTo(422);
        assertThat(both.causes()).anySatisfy(c -> assertThat(c).contains("selector and partition exclude each other"));
    }

    @Test
    void weightsGoBeforeEverythingElse() {
        Trial trial = running.trial("weight");
        trial.create(Trial.agent("v1", """
                {"maxUnavailable":1,"priorityStrategy":{"weightPriority":[
                 {"weight":20,"matchSelector":{"matchLabels":{"tier":"low"}}},
                 {"weight":5,"matchSelector":{"matchLabels":{"zone":"z"}}}]}}"""));
        trial.pod("a", "{}");
        trial.pod("b", "{\"zone\":\"z\"}");
        trial.pod("c", "{\"tier\":\"low\"}");
        trial.pod("d", "{\"tier\":\"low\",\"zone\":\"z\"}");
        trial.awaitStatus("4/4/4/4");

        trial.roll("v2");
        trial.finish("a", "b", "c", "d");
        trial.awaitWritten("d", "c", "b", "a");
    }

    @Test
    void orderedKeysGoByTheirNumbersAndPodsWithoutAKeyFirst() {
        Trial trial = running.trial("ordered");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":1,\"priorityStrategy\":{\"orderPriority\":[{\"orderedKey\":\"ordinal\"}]}}"));
        trial.pod("a", "{\"ordinal\":\"web-2\"}");
        trial.pod("b", "{\"ordinal\":\"web-10\"}");
        trial.pod("c", "{}");
        trial.pod("d", "{\"ordinal\":\"web-0\"}");
        trial.awaitStatus("4/4/4/4");

        trial.roll("v2");
        trial.finish("a", "b", "c", "d");
        trial.awaitWritten("c", "b", "a", "d");
    }

    /** Check value of rule 6.3, all in one round: 0 1 2 3 with a=x among ten give 0 4 5 1 6 7 2 8 9 3. */
    @Test
    void scatterSpreadsThePodsOfATerm() {
        Trial trial = running.trial("scatter");
        trial.create(Trial.agent("v1", "{\"maxUnavailable\":10,\"scatterStrategy\":[{\"key\":\"a\",\"value\":\"x\"}]}"));
        for (int i = 0; i < 10; i++) {
            trial.create("p" + i, "{\"a\":\"" + (i < 4 ? "x" : "y") + "\"}");
            trial.node().report("p" + i).readySince("2026-01-01T00:00:00Z").restarts("app", 20 - i).send();
        }
        trial.awaitStatus("10/10/10/10");

        trial.roll("v2");
        trial.finish("p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9");
        trial.awaitWritten("p0", "p4", "p5", "p1", "p6", "p7", "p2", "p8", "p9", "p3");
    }

    /** Rule 14.1. */
    @Test
    void aNativeSidecarIsNotRolledOutInPlace() {
        Trial trial = running.trial("native");
        String body = """
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"native"},
                 "spec":{"selector":{"matchLabels":{"app":"native"}},"updateStrategy":{"type":"%s"},
                  "initContainers":[{"name":"proxy","image":"registry.example/proxy:1","restartPolicy":"Always"}]}}""";

        var refused = running.http().post(Trial.SETS, body.formatted("RollingUpdate"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes()).anySatisfy(c -> assertThat(c).contains("spec.updateStrategy"));
        running.post(Trial.SETS, body.formatted("NotUpdate"));
        trial.settle();
    }
}

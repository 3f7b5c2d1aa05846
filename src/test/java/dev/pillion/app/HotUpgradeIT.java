package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.api.Wire;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;

/** Hot upgrades step by step: the idle twin takes over, then the other is emptied (rollout.md 10, FR-41). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HotUpgradeIT {
    private static final String EMPTY = Trial.image("empty");

    @Parameter
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Cluster cluster;
    @SuppressWarnings("NullAway.Init") // set by start()
    private RunningCluster running;

    @BeforeParameterizedClassInvocation
    void start() throws InterruptedException {
        running = RunningCluster.start(cluster);
    }

    @AfterParameterizedClassInvocation
    void stop() throws Exception {
        running.close();
    }

    private static String hot(String container) {
        return """
                {"name":"%s","image":"%s","upgradeStrategy":{"upgradeType":"HotUpgrade","hotUpgradeEmptyImage":"%s"}}"""
                .formatted(container, Trial.image("v1"), EMPTY);
    }

    private static String set(String... containers) {
        return "\"containers\":[" + String.join(",", containers) + "],\"updateStrategy\":{\"maxUnavailable\":1}";
    }

    /** Waits until the twins have these images. */
    private static void awaitTwins(Trial trial, String pod, String container, String first, String second) {
        List<String> wanted = List.of(first, second);
        Eventually.until(pod + " has " + wanted, () -> List.of(trial.image(pod, container + "-1"), trial.image(pod, container + "-2")),
                wanted::equals);
    }

    private static String working(Trial trial, String pod) {
        return trial.annotation(pod, Wire.WORKING_HOT_UPGRADE);
    }

    @Test
    void theIdleTwinTakesOverAndTheOtherIsEmptied() {
        Trial trial = running.trial("hot");
        trial.create(set(hot("mesh")));
        trial.pods("a", "b");
        trial.awaitStatus("2/2/2/2");
        awaitTwins(trial, "a", "mesh", Trial.image("v1"), EMPTY);

        trial.roll("v2");
        Eventually.until("one Pod is upgraded", () -> trial.updated().size() == 1);
        String first = trial.updated().iterator().next();
        awaitTwins(trial, first, "mesh", Trial.image("v1"), Trial.image("v2"));
        assertThat(working(trial, first)).isEqualTo("{\"mesh\":\"mesh-2\"}");
        trial.finish("a", "b");

        awaitTwins(trial, "a", "mesh", EMPTY, Trial.image("v2"));
        awaitTwins(trial, "b", "mesh", EMPTY, Trial.image("v2"));
        trial.assertLimitKept();
        assertThat(trial.written()).as("upgrade and flip of each").hasSize(4);
        assertThat(trial.written().subList(0, 2)).as("the first is done before the second begins").containsExactly(first, first);
        Eventually.until("the flip is told", () -> trial.events("a"), e -> e.toString().contains("ResetContainerSucceed"));
    }

    /** Trap A: what was upgraded and did not get ready goes back to the twin that still runs the wanted image. */
    @Test
    void aRollbackWhileUnreadyWorksInTheSoundTwinAgain() {
        Trial trial = running.trial("hotback");
        trial.create(set(hot("mesh")));
        trial.pods("a");
        trial.awaitStatus("1/1/1/1");

        trial.roll("v2");
        trial.awaitUpdated("a");
        trial.node().report("a").broken("mesh-2", EMPTY).send();
        trial.awaitStatus("1/1/0/0");
        trial.roll("v1");
        awaitTwins(trial, "a", "mesh", Trial.image("v1"), EMPTY);
        trial.finish("a");

        assertThat(working(trial, "a")).isEqualTo("{\"mesh\":\"mesh-1\"}");
        trial.roll("v3");
        trial.finish("a");
        awaitTwins(trial, "a", "mesh", EMPTY, Trial.image("v3"));
    }

    @Test
    void aRestartBetweenTheStepsIsHarmless() throws Exception {
        Trial trial = running.trial("hotrestart");
        trial.create(set(hot("mesh")));
        trial.pods("a", "b");
        trial.awaitStatus("2/2/2/2");

        trial.roll("v2");
        Eventually.until("one Pod is upgraded", () -> trial.updated().size() == 1);
        running.stopController();
        String first = trial.updated().iterator().next();
        trial.node().run(first);
        running.goOn();
        trial.finish("a", "b");

        awaitTwins(trial, first, "mesh", EMPTY, Trial.image("v2"));
        trial.assertLimitKept();
        assertThat(trial.written()).hasSize(4);
    }

    /** Rule 10.4: only what is about to be emptied may be not ready. */
    @Test
    void emptyingGoesOnWhenTheOldTwinFails() {
        Trial trial = running.trial("hotfail");
        trial.create(set(hot("mesh")));
        trial.pods("a");
        trial.awaitStatus("1/1/1/1");

        trial.roll("v2");
        trial.awaitUpdated("a");
        trial.node().report("a").broken("mesh-1", Trial.image("v1")).send();

        awaitTwins(trial, "a", "mesh", EMPTY, Trial.image("v2"));
        trial.finish("a");
    }

    @Test
    void severalHotContainersKeepTheirOwnRecords() {
        Trial trial = running.trial("hottwo");
        trial.create(set(hot("mesh"), hot("logs")));
        trial.pods("a");
        trial.awaitStatus("1/1/1/1");

        trial.change("/spec/containers/1/image", "\"" + Trial.image("v2") + "\"");
        trial.finish("a");
        awaitTwins(trial, "a", "mesh", Trial.image("v1"), EMPTY);
        awaitTwins(trial, "a", "logs", EMPTY, Trial.image("v2"));
        assertThat(working(trial, "a")).isEqualTo("{\"logs\":\"logs-2\",\"mesh\":\"mesh-1\"}");
        String version = trial.annotation("a", Wire.VERSION_PREFIX + "logs-2");

        trial.roll("v3");
        trial.finish("a");
        awaitTwins(trial, "a", "mesh", EMPTY, Trial.image("v3"));
        awaitTwins(trial, "a", "logs", EMPTY, Trial.image("v2"));
        assertThat(working(trial, "a")).isEqualTo("{\"logs\":\"logs-2\",\"mesh\":\"mesh-2\"}");
        assertThat(trial.annotation("a", Wire.VERSION_PREFIX + "logs-2")).as("of the container that did not change").isEqualTo(version);
    }

    /** Trap B: with the reference every Pod gets its idle twin replaced at once, whatever maxUnavailable is. */
    @Test
    void anotherEmptyImageTouchesNoPodAndKeepsThemReady() {
        Trial trial = running.trial("hotempty");
        trial.create(set(hot("mesh")));
        trial.pods("a", "b", "c");
        trial.awaitStatus("3/3/3/3");

        trial.change("/spec/containers/0/upgradeStrategy/hotUpgradeEmptyImage", "\"" + Trial.image("other-empty") + "\"");
        trial.settle();
        trial.awaitStatus("3/0/3/0");
        Eventually.until("it is told", trial::events, e -> e.size() == 1 && e.getFirst().startsWith("NotUpgradablePods: 3 pods"));
        trial.pods("d");
        trial.awaitStatus("4/1/4/1");

        assertThat(trial.written()).isEmpty();
        awaitTwins(trial, "d", "mesh", Trial.image("v1"), Trial.image("other-empty"));
    }
}

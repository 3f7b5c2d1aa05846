package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;

/** Which version Pods get and keep: NotUpdate, canary, roll back, pinned revisions, changes that reach no running Pod, sets made anew. */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VersionsIT {
    private static final String ROLLING = "{\"maxUnavailable\":1}";

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

    /** FR-38, events.md 7.1, 7.2 and 7.7: the status follows every kind of change, and no Pod is written. */
    @Test
    void theStatusOfANotUpdateSetFollowsItsPods() {
        Trial trial = running.trial("notupdate");
        trial.create(Trial.agent("v1", "{\"type\":\"NotUpdate\"}"));
        trial.pods("a", "b", "c", "d");
        trial.awaitStatus("4/4/4/4");

        trial.node().report("a").notReady().send();
        trial.awaitStatus("4/4/3/3");
        trial.node().run("a");
        trial.awaitStatus("4/4/4/4");
        trial.patch("b", "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
        trial.awaitStatus("3/3/3/3");
        trial.patch("b", "{\"metadata\":{\"labels\":{\"app\":\"notupdate\"}}}");
        trial.awaitStatus("4/4/4/4");
        trial.delete("c");
        trial.awaitStatus("3/3/3/3");
        trial.node().report("d").phase("Failed").send();
        trial.awaitStatus("2/2/2/2");
        trial.roll("v2");
        trial.settle();
        trial.awaitStatus("2/0/2/0");
        trial.pods("e");
        trial.awaitStatus("3/1/3/1");
        assertThat(trial.image("e", "agent")).isEqualTo(Trial.image("v2"));

        assertThat(trial.written()).isEmpty();
    }

    @Test
    void podsOfACanarySetAreOutsideItsBasesRollOut() {
        Trial base = running.trial("base");
        base.create(Trial.agent("v1", "{\"maxUnavailable\":5}"));
        base.pods("a", "b");
        Trial canary = base.beside("canary");
        canary.create("{\"" + Wire.CANARY + "\":\"true\",\"" + Wire.BASE + "\":\"base\"}", "{\"app\":\"base\",\"lane\":\"canary\"}",
                Trial.agent("v9", "{\"type\":\"NotUpdate\"}"));
        base.pod("c", "{\"lane\":\"canary\"}");
        assertThat(base.image("c", "agent")).isEqualTo(Trial.image("v9"));
        base.awaitStatus("2/2/2/2");
        canary.awaitStatus("1/1/1/1");

        base.roll("v2");
        base.finish("a", "b");
        canary.roll("v10");
        canary.awaitStatus("1/0/1/0");
        base.pod("d", "{\"lane\":\"canary\"}");
        canary.awaitStatus("2/1/2/1");

        assertThat(base.image("c", "agent")).isEqualTo(Trial.image("v9"));
        assertThat(base.image("d", "agent")).isEqualTo(Trial.image("v10"));
        assertThat(base.written()).containsExactlyInAnyOrder("a", "b");
    }

    /** The broken image stops at the limit; the old one comes back under its old revision and reaches the broken Pod first (FR-31). */
    @Test
    void aRollBackReachesTheBrokenPodFirstAndReusesTheRevision() {
        Trial trial = running.trial("back");
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods("a", "b", "c");
        trial.awaitStatus("3/3/3/3");
        String revision = trial.latestRevision();

        trial.roll("bad");
        Eventually.until("one Pod is upgraded", () -> trial.updated().size() == 1);
        String broken = trial.updated().iterator().next();
        trial.node().report(broken).broken("agent", Trial.image("v1")).send();
        trial.awaitStatus("3/1/2/0");
        Eventually.until("the block is told with names", trial::events,
                e -> e.size() == 1 && e.getFirst().startsWith("RolloutBlocked: 2 pods wait (")
                        && e.getFirst().endsWith("wait for " + trial.namespace() + "/" + broken));

        trial.roll("v1");
        trial.finish("a", "b", "c");
        trial.awaitStatus("3/3/3/3");
        assertThat(trial.latestRevision()).isEqualTo(revision);
        assertThat(trial.written()).as("the broken one twice, the others never").containsExactly(broken, broken);
    }

    /** rollout.md 15: a pin steers injection only. */
    @Test
    void podsOfAPinnedRevisionAreOldPodsOfTheRollOut() {
        Trial trial = running.trial("pinned");
        trial.create(Trial.agent("v1", ROLLING));
        String old = trial.latestRevision();
        trial.roll("v2");
        trial.settle();
        trial.strategy("{\"paused\":true,\"maxUnavailable\":1}");
        trial.change("/spec/injectionStrategy", "{\"revision\":{\"revisionName\":\"" + old + "\",\"policy\":\"Always\"}}");
        trial.settle();
        Eventually.until("new Pods get the pinned revision", () -> {
            trial.create("probe", "{}");
            boolean pinned = trial.image("probe", "agent").equals(Trial.image("v1"));
            trial.delete("probe");
            return pinned;
        });
        trial.pods("a", "b");
        trial.awaitStatus("2/0/2/0");

        trial.change("/spec/updateStrategy/paused", "false");
        trial.finish("a", "b");
        assertThat(trial.image("a", "agent")).isEqualTo(Trial.image("v2"));
    }

    /** FR-35 and trap G: told once per change, warned of at the write, and the mark goes when the change is taken back. */
    @Test
    void aChangeBeyondTheImageIsToldOnceAndItsMarkGoesWithTheRevert() {
        Trial trial = running.trial("beyond");
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods("a", "b");
        trial.awaitStatus("2/2/2/2");

        var answer = trial.patchSet("[{\"op\":\"add\",\"path\":\"/spec/containers/0/env\",\"value\":[{\"name\":\"A\",\"value\":\"1\"}]}]");
        assertThat(answer.warnings()).anySatisfy(w -> assertThat(w).contains("running pods keep the old sidecars"));
        trial.awaitStatus("2/0/2/0");
        Eventually.until("both Pods are marked", () -> List.of(trial.mark("a"), trial.mark("b")),
                List.of("False {\"beyond\":false}", "False {\"beyond\":false}")::equals);
        trial.node().report("a").notReady().send();
        trial.awaitStatus("2/0/1/0");
        trial.node().run("a");
        trial.awaitStatus("2/0/2/0");

        answer = trial.patchSet("[{\"op\":\"remove\",\"path\":\"/spec/containers/0/env\"}]");
        assertThat(answer.code()).isEqualTo(200);
        Eventually.until("the marks are gone", () -> List.of(trial.mark("a"), trial.mark("b")),
                List.of("True {\"beyond\":true}", "True {\"beyond\":true}")::equals);
        trial.awaitStatus("2/2/2/2");
        assertThat(trial.written()).isEmpty();
        assertThat(trial.events()).singleElement().asString().startsWith("NotUpgradablePods: 2 pods are not updated in place");
    }

    /** FR-40 and events.md 7.9: the old Pods stay as they are, the reason is told, and new Pods are rolled out. */
    @Test
    void aSetMadeAnewWithTheOtherUpgradeTypeLeavesOldPodsAlone() {
        Trial trial = running.trial("anew");
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods("a", "b");
        trial.awaitStatus("2/2/2/2");
        trial.deleteSet();

        trial.create("""
                "containers":[{"name":"agent","image":"%s","upgradeStrategy":{"upgradeType":"HotUpgrade","hotUpgradeEmptyImage":"%s"}}],
                "updateStrategy":{"maxUnavailable":1}""".formatted(Trial.image("v1"), Trial.image("empty")));
        Eventually.until("the reason is told", trial::events,
                e -> e.stream().anyMatch(n -> n.startsWith("OtherContainers: 2 pods are not updated in place")));
        trial.pods("c");
        trial.awaitStatus("1/1/1/1");
        trial.roll("v2");
        Eventually.until("the new Pod is upgraded", () -> trial.image("c", "agent-2").equals(Trial.image("v2")));
        trial.node().run("c");
        Eventually.until("and emptied", () -> trial.image("c", "agent-1").equals(Trial.image("empty")));

        assertThat(trial.written()).containsOnly("c");
        assertThat(trial.image("a", "agent")).isEqualTo(Trial.image("v1"));
    }

    /** Trap N: the deleted set's revision has the name and data of the new one's, and goes when the collector comes by. */
    @Test
    void aSetMadeAnewWaitsUntilItsForerunnersRevisionIsGone() {
        Trial trial = running.trial("heir");
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods("a");
        trial.awaitStatus("1/1/1/1");
        String revision = trial.latestRevision();
        trial.deleteSet();

        trial.post("{}", "{\"app\":\"heir\"}", Trial.agent("v1", ROLLING));
        running.trial("witness").create(Trial.agent("v1", ROLLING));
        assertThat(trial.latestRevision()).isEmpty();
        assertThat(running.http().delete(running.revisions() + "/" + revision).code()).isEqualTo(200);
        trial.settle();
        trial.awaitStatus("1/1/1/1");

        assertThat(trial.latestRevision()).isEqualTo(revision);
        assertThat(trial.written()).isEmpty();
    }

    /** events.md 7.6: a label in v1alpha1, which leaves the generation as it is. */
    @Test
    void aCustomVersionWrittenAsALabelReachesTheRevision() {
        Trial trial = running.trial("labelled");
        trial.create(Trial.agent("v1", ROLLING));
        String path = "/apis/apps.kruise.io/v1alpha1/sidecarsets/labelled";

        var answer = running.http().merge(path, "{\"metadata\":{\"labels\":{\"" + Wire.CUSTOM_VERSION_LABEL + "\":\"blue\"}}}");

        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        Eventually.until("the revision has the label", () -> running.http().get(running.revisions() + "/" + trial.latestRevision()).body()
                .path("metadata").path("labels").path(Wire.CUSTOM_VERSION_LABEL).asString(""), "blue"::equals);
    }

    /** FR-43. */
    @Test
    void aContainerMayGoButNeitherComeNorChangeItsName() {
        Trial trial = running.trial("names-fixed");
        trial.create("\"containers\":[{\"name\":\"agent\",\"image\":\"%1$s\"},{\"name\":\"second\",\"image\":\"%1$s\"}]"
                .formatted(Trial.image("v1")));
        trial.pods("a");
        trial.awaitStatus("1/1/1/1");

        var renamed = trial.patchSet("[{\"op\":\"replace\",\"path\":\"/spec/containers/1/name\",\"value\":\"other\"}]");
        assertThat(renamed.code()).isEqualTo(422);
        assertThat(renamed.message()).contains("other");
        var removed = trial.patchSet("[{\"op\":\"remove\",\"path\":\"/spec/containers/1\"}]");
        assertThat(removed.code()).as(removed.message()).isEqualTo(200);
        trial.awaitStatus("1/0/1/0");
        trial.pods("b");
        trial.awaitStatus("2/1/2/1");
        trial.roll("v2");
        trial.finish("b");
        assertThat(trial.image("a", "second")).as("left as it is").isEqualTo(Trial.image("v1"));
    }

    /** FR-50: a start of the program, as an upgrade of it is one, writes no Pod and no status. */
    @Test
    void aStartWritesNothingWhereNothingChanged() throws Exception {
        Trial done = running.trial("start-done");
        done.create(Trial.agent("v1", ROLLING));
        done.pods("a", "b");
        done.roll("v2");
        done.finish("a", "b");
        Trial old = running.trial("start-old");
        old.create(Trial.agent("v1", "{\"paused\":true,\"maxUnavailable\":1}"));
        old.pods("c");
        old.annotate("c", Wire.HASH, "{\"start-old\":\"" + hash(old) + "\"}");
        old.roll("v2");
        old.awaitStatus("1/0/1/0");
        Eventually.until("the pause is told", () -> old.events().size() == 1);
        int pods = done.written().size() + old.written().size();
        int statuses = statusWrites(done) + statusWrites(old);

        running.stopController();
        running.goOn();
        old.pods("d");
        old.awaitStatus("2/1/2/1");
        done.delete("b");
        done.awaitStatus("1/1/1/1");

        assertThat(done.written().size() + old.written().size()).isEqualTo(pods);
        assertThat(statusWrites(done) + statusWrites(old)).as("of the new and the deleted Pod only").isBetween(statuses + 2, statuses + 3);
        assertThat(old.events()).hasSize(1);
    }

    private static String hash(Trial trial) {
        return Json.text(trial.set().path("metadata").path("annotations"), Wire.HASH);
    }

    private static int statusWrites(Trial trial) {
        return (int) trial.writes().stream().filter(w -> w.isOn("sidecarsets") && w.name().equals(trial.name())
                && w.subresource().equals("status")).count();
    }
}

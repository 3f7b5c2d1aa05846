package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;

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

import tools.jackson.databind.JsonNode;

/** Pods that hold or become what breaks the reference: none stops the others, none is damaged (rollout.md 16.2, events.md 7). */
@OnEveryCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OddPodsIT {
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

    private Trial trial(String name, String... pods) {
        Trial trial = running.trial(name);
        trial.create(Trial.agent("v1", ROLLING));
        trial.pods(pods);
        trial.awaitStatus("%1$d/%1$d/%1$d/%1$d".formatted(pods.length));
        return trial;
    }

    /** Traps V and 7.19: the reference's process dies of the second. */
    @Test
    void nullInAnyAnnotationIsAMissingEntry() {
        Trial trial = trial("nulls", "a", "b", "c", "d", "e", "f");
        trial.annotate("a", Wire.IN_PLACE_STATE, "null");
        trial.annotate("b", Wire.IN_PLACE_STATE, "{\"nulls\":null,\"other\":null}");
        trial.annotate("c", Wire.HASH, "null");
        trial.annotate("d", Wire.HASH, "{\"nulls\":null}");
        trial.annotate("e", Wire.HASH_WITHOUT_IMAGE, "{\"nulls\":null}");
        trial.annotate("f", Wire.IN_PLACE_STATE, "{\"nulls\":{\"lastContainerStatuses\":{\"agent\":null}}}");
        trial.annotate("f", Wire.WORKING_HOT_UPGRADE, "null");

        trial.roll("v2");
        trial.finish("a", "b", "c", "d", "f");

        Eventually.until("the other one is marked and named", () -> trial.events().toString(),
                e -> e.contains("NotUpgradablePods: 1 pod is") && e.contains(trial.namespace() + "/e"));
        assertThat(trial.mark("e")).isEqualTo("False {\"nulls\":false}");
        // Those without a hash are written once more, to get one, if there is time for it before the new version comes.
        assertThat(Set.copyOf(trial.written())).containsExactlyInAnyOrder("a", "b", "c", "d", "f");
        trial.assertLimitKept();
    }

    /** Trap E, events.md 7.8: whatever makes an upgraded Pod stop mattering, the next one starts. */
    @Test
    void anUpgradedPodThatStopsMatteringHoldsUpNobody() {
        Trial trial = trial("lost", "a", "b", "c", "d", "e");
        trial.roll("v2");
        trial.node().report(next(trial, 1)).phase("Failed").send();
        trial.patch(next(trial, 2), "{\"metadata\":{\"labels\":{\"app\":\"elsewhere\"}}}");
        trial.delete(next(trial, 3));
        String held = next(trial, 4);
        trial.patch(held, "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        trial.delete(held);
        trial.finish(next(trial, 5));

        trial.awaitStatus("1/1/1/1");
        trial.patch(held, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(trial.written()).hasSize(5).doesNotHaveDuplicates();
        trial.assertLimitKept();
    }

    /** Waits for one more write and answers whom. */
    private static String next(Trial trial, int writes) {
        return Eventually.until(writes + " Pods are written", trial::written, w -> w.size() == writes).getLast();
    }

    @Test
    void anUnreadableConditionMessageGivesWay() {
        Trial trial = trial("message", "a", "b");
        for (String text : List.of("no JSON", "[1]")) {
            condition(trial, text.equals("[1]") ? "a" : "b", text);
        }

        trial.roll("v2");
        trial.finish("a", "b");

        Eventually.until("both conditions are ours", () -> List.of(trial.mark("a"), trial.mark("b")),
                List.of("True {\"message\":true}", "True {\"message\":true}")::equals);
    }

    private void condition(Trial trial, String pod, String message) {
        String body = Json.write(Json.object().set("status", Json.read(
                "{\"conditions\":[{\"type\":\"%s\",\"status\":\"False\",\"reason\":\"x\",\"message\":\"%s\"}]}".formatted(
                        Wire.UPGRADABLE_CONDITION,
                        message))));
        assertThat(running.http().send("PATCH", trial.path(pod) + "/status", "application/strategic-merge-patch+json", body).code())
                .isEqualTo(200);
    }

    /** Trap H: two sets that mark one Pod at the same time both have their say; G: a set that is gone has none. */
    @Test
    void twoSetsMarkOnePod() {
        Trial one = trial("one");
        Trial two = one.beside("two");
        two.create("{}", "{\"app\":\"one\"}", "\"containers\":[{\"name\":\"second\",\"image\":\"registry.example/second:1\"}]");
        one.pods("a");
        one.awaitStatus("1/1/1/1");
        two.awaitStatus("1/1/1/1");
        String env = "[{\"name\":\"A\",\"value\":\"1\"}]";
        one.change("/spec/containers/0/env", env);
        two.change("/spec/containers/0/env", env);
        Eventually.until("both say no", () -> one.mark("a"), "False {\"one\":false,\"two\":false}"::equals);

        two.deleteSet();
        assertThat(one.patchSet("[{\"op\":\"remove\",\"path\":\"/spec/containers/0/env\"}]").code()).isEqualTo(200);
        Eventually.until("the one that is there says yes", () -> one.mark("a"), "True {\"one\":true}"::equals);
    }

    /** Traps C and D: runtimes report full names; a tag may be put on the same image, and a digest be written short. */
    @Test
    void namesThatMeanTheSameImageAreTheSame() {
        Trial trial = running.trial("names");
        String id = "docker.io/library/agent@sha256:" + "a".repeat(64);
        trial.create("\"containers\":[{\"name\":\"agent\",\"image\":\"agent:1\"}],\"updateStrategy\":" + ROLLING);
        for (String pod : List.of("a", "b")) {
            trial.create(pod, "{}");
            trial.node().report(pod).tells("agent", "docker.io/library/agent:1", id).send();
        }
        trial.awaitStatus("2/2/2/2");

        trial.change("/spec/containers/0/image", "\"agent:2\"");
        inTurn(trial, 2, "docker.io/library/agent:2", id);
        trial.change("/spec/containers/0/image", "\"agent@sha256:" + "b".repeat(64) + "\"");
        inTurn(trial, 4, "docker.io/library/agent:2", "docker.io/library/agent@sha256:" + "b".repeat(64));
        trial.change("/spec/containers/0/image", "\"docker.io/library/agent@sha256:" + "c".repeat(64) + "\"");
        inTurn(trial, 6, "sha256:" + "d".repeat(64), "sha256:" + "d".repeat(64));

        trial.awaitStatus("2/2/2/2");
        trial.assertLimitKept();
    }

    /** The node runs each of both Pods as it is upgraded; the second one comes only when the first one counts as sound. */
    private static void inTurn(Trial trial, int writes, String image, String id) {
        trial.node().report(next(trial, writes - 1)).tells("agent", image, id).send();
        trial.node().report(next(trial, writes)).tells("agent", image, id).send();
        trial.awaitStatus("2/2/2/2");
    }

    /** Trap L: with the reference the other set's entry gets this set's name, or is emptied. */
    @Test
    void anOldFormMovesToThePresentOneWithoutDamage() {
        Trial trial = trial("oldform", "a", "b");
        String hash = Json.text(trial.set().path("metadata").path("annotations"), Wire.HASH);
        String without = Json.text(trial.set().path("metadata").path("annotations"), Wire.HASH_WITHOUT_IMAGE);
        trial.annotate("a", Wire.HASH, "{\"oldform\":\"" + hash + "\",\"other\":\"kept\"}");
        trial.annotate("a", Wire.HASH_WITHOUT_IMAGE, "{\"oldform\":\"" + without + "\",\"other\":\"kept-w\"}");
        trial.annotate("b", Wire.HASH, "{\"oldform\":\"" + hash + "\",\"other\":{\"hash\":\"kept\",\"sidecarSetName\":\"other\"}}");

        trial.roll("v2");
        trial.finish("a", "b");

        JsonNode a = Json.read(trial.annotation("a", Wire.HASH)).path("other");
        assertThat(Json.text(a, "hash") + " " + Json.text(a, "sidecarSetName")).isEqualTo("kept other");
        JsonNode w = Json.read(trial.annotation("a", Wire.HASH_WITHOUT_IMAGE));
        assertThat(Json.text(w.path("other"), "hash") + " " + Json.text(w.path("oldform"), "hash")).isEqualTo("kept-w " + without);
        assertThat(Json.text(Json.read(trial.annotation("b", Wire.HASH)).path("other"), "hash")).isEqualTo("kept");
    }

    /** Traps 7.3 and 7.4, in the middle of a roll-out. */
    @Test
    void podsThatComeIntoTheSelectorsAreRolledOutAndOthersAreNot() {
        Trial trial = running.trial("scope");
        trial.create(Trial.agent("v1", ROLLING) + ",\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\""
                + trial.namespace() + "\"}}");
        trial.pods("a", "b", "c");
        trial.awaitStatus("3/3/3/3");
        trial.change("/spec/namespaceSelector", "{\"matchLabels\":{\"team\":\"x\"}}");
        trial.awaitStatus("0/0/0/0");
        trial.patch("c", "{\"metadata\":{\"labels\":{\"app\":\"elsewhere\"}}}");
        trial.roll("v2");
        trial.settle();

        namespace(trial, "\"x\"");
        trial.finish("a", "b");
        trial.patch("c", "{\"metadata\":{\"labels\":{\"app\":\"scope\"}}}");
        trial.finish("a", "b", "c");
        namespace(trial, "null");
        trial.awaitStatus("0/0/0/0");
        trial.roll("v3");
        trial.settle();
        trial.awaitStatus("0/0/0/0");

        assertThat(trial.written()).hasSize(3).endsWith("c");
    }

    private void namespace(Trial trial, String team) {
        assertThat(running.http().merge("/api/v1/namespaces/" + trial.namespace(), "{\"metadata\":{\"labels\":{\"team\":" + team + "}}}")
                .code()).isEqualTo(200);
    }
}

package dev.pillion.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.ImageCompare;
import dev.pillion.match.PodState;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the traps marked fix look like mended (rollout.md 16.2, 16.3). */
class MendedFaultsTest {
    private static final RolloutOptions STRICT = new RolloutOptions(RolloutOptions.Budget.STRICT, ImageCompare.NORMALIZED,
            RolloutOptions.Faults.FIXED, Duration.ofSeconds(30));
    private static final String DIGEST = "sha256:" + "a".repeat(64);

    private static ObjectNode set(String hash, String without, String image, boolean hot) {
        ObjectNode root = Json.object();
        root.putObject("metadata").put("name", "ss").put("uid", "u").put("resourceVersion", "77").put("generation", 2)
                .putObject("annotations")
                .put(Wire.HASH, hash).put(Wire.HASH_WITHOUT_IMAGE, without);
        ObjectNode spec = root.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", "web");
        ObjectNode container = spec.putArray("containers").addObject().put("name", "mesh").put("image", image);
        if (hot) {
            container.putObject("upgradeStrategy").put("upgradeType", "HotUpgrade").put("hotUpgradeEmptyImage", "empty:1");
        }
        return root;
    }

    /** A ready pod at hash h and w1 with containers name, image, imageID, ready. */
    private static ObjectNode pod(String name, String hash, String... containers) {
        ObjectNode root = Json.object();
        root.putObject("metadata").put("namespace", "d").put("name", name).put("uid", "uid-" + name).put("resourceVersion", "5")
                .put("creationTimestamp", "2024-01-01T00:00:00Z").putObject("annotations").put(Wire.INJECTED_LIST, "ss")
                .put(Wire.HASH, "{\"ss\":{\"hash\":\"" + hash + "\"}}").put(Wire.HASH_WITHOUT_IMAGE, "{\"ss\":{\"hash\":\"w1\"}}");
        ((ObjectNode) root.get("metadata")).putObject("labels").put("app", "web");
        ArrayNode spec = root.putObject("spec").put("nodeName", "n").putArray("containers");
        ObjectNode status = root.putObject("status").put("phase", "Running");
        ArrayNode statuses = status.putArray("containerStatuses");
        boolean ready = true;
        for (int i = 0; i < containers.length; i += 4) {
            spec.addObject().put("name", containers[i]).put("image", containers[i + 1]);
            boolean containerReady = containers[i + 3].equals("ready");
            statuses.addObject().put("name", containers[i]).put("image", containers[i + 1]).put("imageID", containers[i + 2])
                    .put("ready", containerReady);
            ready &= containerReady;
        }
        status.putArray("conditions").addObject().put("type", "Ready").put("status", ready ? "True" : "False");
        return root;
    }

    private static void annotate(ObjectNode pod, String key, String value) {
        ((ObjectNode) pod.path("metadata").path("annotations")).put(key, value);
    }

    private static Plan plan(JsonNode set, RolloutOptions options, ObjectNode... pods) {
        List<PodView> views = List.of(pods).stream().map(PodViews::of).toList();
        return Plan.of(SidecarSet.of((ObjectNode) set), new Matching.Found(views, List.of()), new Expectations(),
                new Plan.Registered("r", 0), options, Cases.NOW);
    }

    @Test
    void rolledBackHotUpgradeWorksInTheSoundTwinAndEmptiesTheOther() {
        JsonNode set = set("h1", "w1", "mesh:1", true);
        ObjectNode pod = pod("p", "h2", "mesh-1", "mesh:1", "id1", "ready", "mesh-2", "mesh:2", "id2", "broken");
        annotate(pod, Wire.WORKING_HOT_UPGRADE, "{\"mesh\":\"mesh-2\"}");
        annotate(pod, Wire.VERSION_PREFIX + "mesh-1", "1");
        annotate(pod, Wire.VERSION_PREFIX + "mesh-2", "50");

        String patch = PodPatch.upgrade(SidecarSet.of((ObjectNode) set), PodViews.of(pod), Map.of(), "r", RolloutOptions.PILLION,
                Cases.NOW);
        ObjectNode rolledBack = Patches.apply(pod, Json.read(patch));

        assertThat(Json.read(patch).has("spec")).as("no image changes").isFalse();
        assertThat(PodViews.of(rolledBack).marks().working()).containsEntry("mesh", "mesh-1");
        assertThat(plan(set, RolloutOptions.PILLION, rolledBack).decisions()).hasOnlyElementsOfType(Decision.Flip.class).hasSize(1);
        ObjectNode flipped = Patches.apply(rolledBack,
                Json.read(PodPatch.flip(SidecarSet.of((ObjectNode) set), PodViews.of(rolledBack), RolloutOptions.PILLION, Cases.NOW)));
        assertThat(HotTwins.image(PodViews.of(flipped), "mesh-2")).isEqualTo("empty:1");
        assertThat(HotTwins.image(PodViews.of(flipped), "mesh-1")).isEqualTo("mesh:1");
    }

    @Test
    void changedEmptyImageFlipsNothingAndKeepsPodsReady() {
        JsonNode set = set("h2", "w2", "mesh:1", true);
        ObjectNode pod = pod("p", "h1", "mesh-1", "mesh:1", "id1", "ready", "mesh-2", "formerly-empty:1", "id2", "ready");
        annotate(pod, Wire.WORKING_HOT_UPGRADE, "{\"mesh\":\"mesh-1\"}");
        annotate(pod, Wire.VERSION_PREFIX + "mesh-2", "0");

        assertThat(plan(set, RolloutOptions.REFERENCE, pod).decisions()).hasAtLeastOneElementOfType(Decision.Flip.class);
        Plan mended = plan(set, RolloutOptions.PILLION, pod);

        assertThat(mended.decisions()).hasOnlyElementsOfType(Decision.MarkNotUpgradable.class);
        assertThat(mended.status().readyPods()).isEqualTo(1);
    }

    @Test
    void shortAndFullImageNamesAreOneImage() {
        SidecarSet set = SidecarSet.of(set("h1", "w1", "x", false));
        PodState literal = PodState.of(set, ImageCompare.LITERAL);
        PodState normalized = PodState.of(set, ImageCompare.NORMALIZED);
        PodView byDigest = PodViews
                .of(pod("p", "h1", "mesh", "nginx@" + DIGEST, "docker-pullable://docker.io/library/nginx@" + DIGEST, "ready"));
        PodView otherDigest = PodViews
                .of(pod("p", "h1", "mesh", "nginx@" + DIGEST, "docker.io/library/nginx@sha256:" + "b".repeat(64), "ready"));
        PodView bareId = PodViews.of(pod("p", "h1", "mesh", "nginx@" + DIGEST, "sha256:" + "b".repeat(64), "ready"));

        assertThat(literal.isConsistent(byDigest)).isFalse();
        assertThat(normalized.isConsistent(byDigest)).isTrue();
        assertThat(normalized.isConsistent(otherDigest)).isFalse();
        assertThat(literal.isConsistent(bareId)).isFalse();
        assertThat(normalized.isConsistent(bareId)).as("undecided").isTrue();
    }

    @Test
    void newTagOfTheSameImageIsConsistentUnderItsFullName() {
        SidecarSet set = SidecarSet.of(set("h1", "w1", "x:2", false));
        ObjectNode pod = pod("p", "h1", "mesh", "x:2", "id1", "ready");
        annotate(pod, Wire.IN_PLACE_STATE, "{\"ss\":{\"lastContainerStatuses\":{\"mesh\":{\"imageID\":\"id1\"}}}}");
        ((ObjectNode) pod.path("status").path("containerStatuses").path(0)).put("image", "docker.io/library/x:2");
        ObjectNode stillOld = pod.deepCopy();
        ((ObjectNode) stillOld.path("status").path("containerStatuses").path(0)).put("image", "docker.io/library/x:1");

        assertThat(PodState.of(set, ImageCompare.LITERAL).isConsistent(PodViews.of(pod))).isFalse();
        assertThat(PodState.of(set, ImageCompare.NORMALIZED).isConsistent(PodViews.of(pod))).isTrue();
        assertThat(PodState.of(set, ImageCompare.NORMALIZED).isConsistent(PodViews.of(stillOld))).isFalse();
    }

    @Test
    void conditionTurnsTrueWhenThePodIsSeenUpdatedAndForgetsSetsThatAreGone() {
        JsonNode set = set("h1", "w1", "mesh:1", false);
        ObjectNode pod = pod("p", "h1", "mesh", "mesh:1", "id1", "ready");
        ((ArrayNode) pod.path("status").path("conditions")).addObject().put("type", Wire.UPGRADABLE_CONDITION).put("status", "False")
                .put("reason", "UpdateImmutableField").put("message", "{\"gone\":false,\"ss\":false}");

        assertThat(plan(set, RolloutOptions.REFERENCE, pod).decisions()).isEmpty();
        assertThat(plan(set, RolloutOptions.PILLION, pod).decisions()).hasOnlyElementsOfType(Decision.MarkUpgradable.class).hasSize(1);
        Optional<String> patch = PodPatch.condition("ss", PodViews.of(pod), true, "ss"::equals, RolloutOptions.PILLION, Cases.NOW);

        JsonNode condition = Json.read(patch.orElseThrow()).path("status").path("conditions").path(0);
        assertThat(Json.text(condition, "message")).isEqualTo("{\"ss\":true}");
        assertThat(Json.text(condition, "status")).isEqualTo("True");
    }

    @Test
    void setBeingDeletedUpgradesNothing() {
        ObjectNode set = set("h2", "w1", "mesh:2", false);
        ((ObjectNode) set.get("metadata")).put("deletionTimestamp", "2024-01-01T00:00:00Z");
        ObjectNode pod = pod("p", "h1", "mesh", "mesh:1", "id1", "ready");

        assertThat(plan(set, RolloutOptions.PILLION, pod).decisions()).isEmpty();
        assertThat(plan(set, RolloutOptions.PILLION, pod).waiting()).extracting(Plan.Waiting::reason, Plan.Waiting::pods)
                .containsExactly(tuple(WaitReason.SET_DELETING, 1));
        assertThat(plan(set, RolloutOptions.REFERENCE, pod).decisions()).hasSize(1);
    }

    /** Trap P: such a set comes past the webhook only. Its native sidecar cannot be changed in place, so nobody may be told it was. */
    @Test
    void anotherImageOfANativeSidecarIsNoUpgrade() {
        ObjectNode set = set("h2", "w1", "mesh:2", false);
        ((ObjectNode) set.path("spec")).putArray("initContainers").addObject().put("name", "proxy").put("image", "proxy:2")
                .put("restartPolicy", "Always");
        ObjectNode old = pod("old", "h1", "mesh", "mesh:1", "id1", "ready");
        ((ObjectNode) old.path("spec")).putArray("initContainers").addObject().put("name", "proxy").put("image", "proxy:1")
                .put("restartPolicy", "Always");
        ObjectNode same = old.deepCopy();
        ((ObjectNode) same.path("metadata")).put("name", "same").put("uid", "uid-same");
        ((ObjectNode) same.path("spec").path("initContainers").path(0)).put("image", "proxy:2");

        assertThat(plan(set, RolloutOptions.PILLION, old).decisions()).hasOnlyElementsOfType(Decision.MarkNotUpgradable.class).hasSize(1);
        assertThat(plan(set, RolloutOptions.PILLION, same).decisions()).hasOnlyElementsOfType(Decision.Upgrade.class);
        assertThat(plan(set, RolloutOptions.REFERENCE, old).decisions()).hasOnlyElementsOfType(Decision.Upgrade.class);
    }

    /** Trap E, events.md 7.8, 7.10: whatever ends a Pod's part in the roll-out ends what was awaited of it. */
    @Test
    void nothingIsAwaitedOfAPodThatStopsMattering() {
        JsonNode set = set("h2", "w1", "mesh:2", false);
        ObjectNode failed = pod("p", "h1", "mesh", "mesh:1", "id1", "ready");
        ((ObjectNode) failed.path("status")).put("phase", "Failed");
        ObjectNode relabelled = pod("p", "h1", "mesh", "mesh:1", "id1", "ready");
        ((ObjectNode) relabelled.path("metadata").path("labels")).put("app", "elsewhere");
        ObjectNode terminating = pod("p", "h1", "mesh", "mesh:1", "id1", "ready");
        ((ObjectNode) terminating.path("metadata")).put("deletionTimestamp", "2024-01-01T00:00:00Z");
        ObjectNode stripped = pod("p", "h1", "mesh", "mesh:1", "id1", "ready");
        ((ObjectNode) stripped.path("metadata").path("annotations")).remove(Wire.INJECTED_LIST);
        List<PodChange> ends = new ArrayList<>(List.of(new PodChange.Gone(new PodKey("d", "p"), "uid-p")));
        for (ObjectNode end : List.of(failed, relabelled, terminating, stripped)) {
            ((ObjectNode) end.path("metadata")).put("resourceVersion", "6");
            ends.add(new PodChange.Seen(PodViews.of(end)));
        }
        for (PodChange end : ends) {
            Ledger ledger = new Ledger(RolloutOptions.PILLION);
            PodView pod = PodViews.of(pod("p", "h1", "mesh", "mesh:1", "id1", "ready"));
            PodView other = PodViews.of(pod("q", "h1", "mesh", "mesh:1", "id1", "ready"));
            ledger.rebuild(SidecarSet.of((ObjectNode) set), Map.of(), List.of(pod, other));
            ledger.uncertain(pod, Cases.NOW.plusSeconds(30));
            assertThat(ledger.plan("r", 0, Cases.NOW).waiting()).extracting(Plan.Waiting::reason)
                    .containsExactly(WaitReason.UPDATED_HASH_EXPECTED);

            ledger.apply(end);
            assertThat(ledger.plan("r", 0, Cases.NOW).decisions()).as("%s", end).containsExactly(new Decision.Upgrade(other));
            assertThat(ledger.expectations().isEmpty()).as("nothing is kept of it").isTrue();
        }
    }

    @Test
    void strictBudgetCountsPodsBusyWithAnEarlierVersion() {
        JsonNode set = set("h3", "w1", "mesh:3", false);
        ObjectNode busy = pod("busy", "h2", "mesh", "mesh:2", "id1", "ready");
        annotate(busy, Wire.IN_PLACE_STATE, "{\"ss\":{\"lastContainerStatuses\":{\"mesh\":{\"imageID\":\"id1\"}}}}");
        ((ObjectNode) busy.path("status").path("containerStatuses").path(0)).put("image", "mesh:1");
        ObjectNode idle = pod("idle", "h1", "mesh", "mesh:1", "id1", "ready");
        ObjectNode broken = pod("broken", "h2", "mesh", "mesh:2", "id2", "broken");
        annotate(broken, Wire.IN_PLACE_STATE, "{\"ss\":{\"lastContainerStatuses\":{}}}");

        assertThat(plan(set, RolloutOptions.PILLION, busy, idle).decisions()).extracting(Cases::name).containsExactly("idle");
        assertThat(plan(set, STRICT, busy, idle).decisions()).isEmpty();
        assertThat(plan(set, STRICT, broken, idle).decisions()).as("a corrected image reaches broken pods").extracting(Cases::name)
                .containsExactly("broken");
    }

    @Test
    void unseenWriteIsReadLiveAfterItsDeadlineAndBlocksNobodyForEver() {
        JsonNode set = set("h2", "w1", "mesh:2", false);
        Ledger ledger = new Ledger(RolloutOptions.PILLION);
        PodView pod = PodViews.of(pod("p", "h1", "mesh", "mesh:1", "id1", "ready"));
        ledger.rebuild(SidecarSet.of((ObjectNode) set), Map.of(), List.of(pod));

        ledger.uncertain(pod, Cases.NOW);
        assertThat(ledger.plan("r", 0, Cases.NOW).decisions()).containsExactly(new Decision.ReadLive(pod));
        ledger.readLive(pod, Cases.NOW);
        assertThat(ledger.plan("r", 0, Cases.NOW).decisions()).as("others first").isEmpty();
        Instant later = Cases.NOW.plus(ledger.plan("r", 0, Cases.NOW).again().orElseThrow());
        assertThat(ledger.plan("r", 0, later).decisions()).containsExactly(new Decision.Upgrade(pod));

        ledger.wrote(pod, Cases.NOW);
        assertThat(ledger.plan("r", 0, Cases.NOW.plusSeconds(31)).decisions()).contains(new Decision.ReadLive(pod));
        ledger.vanished(pod.key());
        assertThat(ledger.plan("r", 0, Cases.NOW.plusSeconds(31)).again()).isEmpty();
    }
}

package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.kube.KubeException;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

/** What a reconcile does when single writes fail, in ways that only a made-up cluster produces on demand. */
class ReconcilerFaultTest {
    private static final SetKey A = new SetKey("a");

    private final FaultyKube kube = new FaultyKube();
    private final Meters meters = new Meters();
    private final Inboxes inboxes = new Inboxes();
    private final LatestSets latest = new LatestSets();
    private final Ledgers ledgers = new Ledgers(RolloutOptions.PILLION);
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final Reconciler reconciler = new Reconciler(kube.ports(),
            new Reconciler.Shared(latest, inboxes, ledgers, new ReconcileMeters(meters, 1)), ReconcileOptions.PILLION, () -> now);

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void upgradesAsFarAsTheBudgetAllowsWithOnePatchAndOneConditionEach() {
        given(2, "p1", "p2", "p3", "p4");

        assertThat(reconcile()).isNotInstanceOf(Outcome.Failed.class);

        assertThat(kube.lines("patch")).hasSize(2);
        assertThat(kube.lines("status")).hasSize(2);
        assertThat(kube.log.getFirst()).isEqualTo("revision 1");
        assertThat(kube.log.get(1)).as("the status shows the state before the upgrade").isEqualTo("set 0/4");
        assertThat(kube.stored("a").status().latestRevision()).isNotEmpty();
    }

    @Test
    void aRefusedPodStopsNobodyAndIsTriedAgainLater() {
        given(1, "p1", "p2");
        String first = firstChoice();
        kube.before = line -> {
            if (line.equals("patch " + first)) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };

        assertThat(reconcile()).isEqualTo(new Outcome.Failed("refused"));
        assertThat(kube.lines("patch")).hasSize(2).doesNotHaveDuplicates();
        reconcile();
        assertThat(kube.lines("patch")).as("not again at once").hasSize(2);
        assertThat(kube.events).containsOnlyOnce("WARNING SidecarUpdateFailed " + first + ": denied by policy");

        kube.before = _ -> {
        };
        ready(other(first));
        now = now.plusSeconds(31);
        reconcile();
        assertThat(kube.lines("patch " + first)).hasSize(2);
        assertThat(image(first)).isEqualTo("r.io/log:v2");
    }

    @Test
    void aConflictIsReadLiveAndDecidedAnew() {
        given(1, "p1");
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.startsWith("patch") && times.incrementAndGet() == 1) {
                kube.change(key("p1"), pod -> ((ObjectNode) pod.path("metadata").path("labels")).put("touched", "yes"));
            }
        };

        assertThat(reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.log).containsSubsequence("patch p1", "read p1", "patch p1", "status p1");
        assertThat(image("p1")).isEqualTo("r.io/log:v2");
        assertThat(kube.pod(key("p1")).path("metadata").path("labels").path("touched").asString()).isEqualTo("yes");
    }

    /** FR-29: nothing but its own count is touched by a Pod that vanished between list and write. */
    @Test
    void aPodThatIsGoneIsSkippedAndTheNextOneTakesItsTurn() {
        given(1, "p1", "p2");
        String first = firstChoice();
        kube.delete(key(first));

        assertThat(reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.lines("patch")).hasSize(2);
        assertThat(image(other(first))).isEqualTo("r.io/log:v2");
        assertThat(meters.scrape()).contains("pillion_reconcile_writes_total{result=\"gone\",what=\"upgrade\"} 1.0");
    }

    @Test
    void aReplacedPodIsAnotherPod() {
        given(1, "p1");
        kube.change(key("p1"), pod -> ((ObjectNode) pod.path("metadata")).put("uid", "successor"));

        assertThat(reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(image("p1")).as("the successor came with what the webhook gave it").isEqualTo("r.io/log:v1");
    }

    /** The answer got lost, the write did not: until the Pod was read, its place in the budget is taken (FR-27). */
    @Test
    void aWriteOfUnknownOutcomeIsReadBeforeAnythingElseIsUpgraded() {
        given(1, "p1", "p2");
        kube.after = line -> {
            if (line.startsWith("patch")) {
                throw new KubeException(0, "", false, "timeout");
            }
        };

        assertThat(reconcile()).isEqualTo(new Outcome.Failed("unavailable"));
        assertThat(kube.lines("patch")).hasSize(1);
        String first = kube.lines("patch").getFirst().substring("patch ".length());
        kube.after = _ -> {
        };
        reconcile();

        assertThat(kube.lines("read " + first)).hasSize(1);
        assertThat(kube.lines("patch")).as("maxUnavailable 1 is used up by the first").hasSize(1);
    }

    /** events.md 7.13: the failed condition takes the upgrade's place in the budget not back. */
    @Test
    void aFailingConditionDoesNotUndoTheUpgrade() {
        given(1, "p1", "p2");
        kube.before = line -> {
            if (line.startsWith("status")) {
                throw new KubeException(403, "Forbidden", false, "no access to pods/status");
            }
        };

        assertThat(reconcile()).isEqualTo(new Outcome.Failed("refused"));
        reconcile();
        assertThat(kube.lines("patch")).hasSize(1);
    }

    @Test
    void ownWritesAreSeenByTheNextReconcileThoughNoEventCame() {
        given(1, "p1", "p2");
        reconcile();
        now = now.plusSeconds(2);
        reconcile();

        assertThat(kube.lines("patch")).hasSize(1);
        assertThat(kube.stored("a").status().updatedPods()).isEqualTo(1);
    }

    @Test
    void statusIsWrittenOncePerIntervalAndAtTheEndAtOnce() {
        given(4, "p1", "p2");
        reconcile();
        assertThat(kube.lines("set")).containsExactly("set 0/2");

        now = now.plusMillis(300);
        assertThat(reconcile()).isInstanceOfSatisfying(Outcome.Again.class,
                again -> assertThat(again.after()).isLessThanOrEqualTo(Duration.ofMillis(700)));
        assertThat(kube.lines("set")).hasSize(1);

        now = now.plusMillis(200);
        ready("p1");
        ready("p2");
        reconcile();
        assertThat(kube.lines("set")).containsExactly("set 0/2", "set 2/2");
        reconcile();
        assertThat(kube.lines("set")).as("nothing differs").hasSize(2);
    }

    @Test
    void aStatusThatLostARaceIsWrittenToTheLiveSet() {
        given(1, "p1");
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.equals("set") && times.incrementAndGet() == 1) {
                ObjectNode raw = kube.stored("a").raw().deepCopy();
                ((ObjectNode) raw.path("metadata")).withObject("labels").put("touched", "yes");
                kube.put(raw);
            }
        };

        assertThat(reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.stored("a").status().matchedPods()).isEqualTo(1);
    }

    @Test
    void countsOfAnOldSpecNeverReachANewOneAndNoPodIsWrittenForIt() {
        given(1, "p1");
        kube.before = line -> {
            if (line.equals("set")) {
                kube.put(set("v3", "h3", 1, 9));
            }
        };

        assertThat(reconcile()).isInstanceOf(Outcome.Again.class);
        assertThat(kube.stored("a").status().observedGeneration()).isZero();
        assertThat(kube.lines("patch")).isEmpty();
    }

    @Test
    void aSetBeingDeletedGetsNoRevisionAndNoUpgrade() {
        ObjectNode deleting = set("v2", "h2", 1, 2);
        ((ObjectNode) deleting.path("metadata")).put("deletionTimestamp", "2026-01-02T03:04:05Z");
        given(deleting, "p1");
        reconcile();

        assertThat(kube.lines("patch")).isEmpty();
        assertThat(kube.lines("revision")).isEmpty();
    }

    @Test
    void everythingOfASetThatIsGoneIsForgotten() {
        given(1, "p1");
        reconcile();
        assertThat(ledgers.size()).isEqualTo(1);
        latest.put(SetIndex.EMPTY);
        inboxes.append(A, new PodChange.Rebuild());

        assertThat(reconcile()).isEqualTo(new Outcome.Gone());
        assertThat(ledgers.size()).isZero();
        assertThat(inboxes.drain(A)).isEmpty();
    }

    @Test
    void aStandingRollOutSaysWhyOnce() {
        given(1, "p1", "p2");
        reconcile();
        assertThat(kube.events).isEmpty();
        now = now.plusSeconds(4);
        reconcile();
        now = now.plusSeconds(4);
        reconcile();

        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("WARNING RolloutBlocked a: Pods wait: ").contains("maxUnavailable");
    }

    @Test
    void podsThatCannotBeUpgradedAreMarkedAndToldOnce() {
        given(set("v2", "h2", 1, 2, "other-w"), "p1");
        reconcile();
        now = now.plusSeconds(2);
        reconcile();

        assertThat(kube.lines("patch")).isEmpty();
        assertThat(kube.lines("status")).hasSize(1);
        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("NORMAL NotUpgradablePods a: 1 pod is not updated in place");
    }

    private void given(int maxUnavailable, String... pods) {
        given(set("v2", "h2", maxUnavailable, 2), pods);
    }

    private void given(ObjectNode set, String... pods) {
        publish(kube.put(set));
        for (String name : pods) {
            kube.put(key(name), pod(name));
        }
        kube.watch();
    }

    private void publish(SidecarSet set) {
        latest.put(SetIndex.of(List.of(set), List.of()));
    }

    private Outcome reconcile() {
        return reconciler.reconcile(A);
    }

    /** Among equal ready Pods the youngest goes first. */
    private static String firstChoice() {
        return "p2";
    }

    private static String other(String name) {
        return name.equals("p1") ? "p2" : "p1";
    }

    /** The kubelet has run the new image; the watch tells. */
    private void ready(String name) {
        kube.change(key(name), pod -> {
            ObjectNode status = (ObjectNode) pod.path("status").path("containerStatuses").path(0);
            status.put("image", "r.io/log:v2").put("imageID", "id-2").put("ready", true);
        });
        kube.watch().stream().filter(p -> p.key().name().equals(name)).forEach(p -> inboxes.append(A, new PodChange.Seen(p)));
    }

    private String image(String name) {
        return kube.pod(key(name)).path("spec").path("containers").path(0).path("image").asString();
    }

    private static PodKey key(String name) {
        return new PodKey("n", name);
    }

    private static ObjectNode set(String version, String hash, int maxUnavailable, int generation) {
        return set(version, hash, maxUnavailable, generation, "w");
    }

    private static ObjectNode set(String version, String hash, int maxUnavailable, int generation, String withoutImage) {
        ObjectNode set = (ObjectNode) Json.read("""
                {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet",
                 "metadata":{"name":"a","uid":"uid-a","generation":%d,"annotations":{}},
                 "spec":{"selector":{"matchLabels":{"app":"web"}},"containers":[{"name":"log","image":"r.io/log:%s"}],
                  "updateStrategy":{"type":"RollingUpdate","maxUnavailable":%d}}}""".formatted(generation, version, maxUnavailable));
        ((ObjectNode) set.path("metadata").path("annotations")).put(Wire.HASH, hash).put(Wire.HASH_WITHOUT_IMAGE, withoutImage);
        return set;
    }

    private static ObjectNode pod(String name) {
        ObjectNode pod = (ObjectNode) Json.read("""
                {"metadata":{"name":"%s","namespace":"n","uid":"uid-%s","labels":{"app":"web"},"creationTimestamp":"2026-01-01T00:00:0%sZ"},
                 "spec":{"nodeName":"node","containers":[{"name":"log","image":"r.io/log:v1"}]},
                 "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:01:00Z"}],
                  "containerStatuses":[{"name":"log","image":"r.io/log:v1","imageID":"id-1","ready":true,"restartCount":0}]}}""".formatted(
                name,
                name, name.substring(1)));
        ((ObjectNode) pod.path("metadata")).withObject("annotations").put(Wire.INJECTED_LIST, "a")
                .put(Wire.HASH, "{\"a\":{\"hash\":\"h1\"}}").put(Wire.HASH_WITHOUT_IMAGE, "{\"a\":{\"hash\":\"w\"}}");
        return pod;
    }
}

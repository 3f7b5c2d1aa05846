package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.PodChange;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.KubeException;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.node.ObjectNode;

/** What a reconcile does when single writes fail, in ways that only a made-up cluster produces on demand. */
class ReconcilerFaultTest {
    private final ReconcileFixture fixture = new ReconcileFixture();
    private final FaultyKube kube = fixture.kube;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void upgradesAsFarAsTheBudgetAllowsWithOnePatchAndOneConditionEach() {
        fixture.given(2, "p1", "p2", "p3", "p4");

        assertThat(fixture.reconcile()).isNotInstanceOf(Outcome.Failed.class);

        assertThat(kube.lines("patch")).hasSize(2);
        fixture.later(Duration.ofSeconds(1));
        fixture.reconcile();
        fixture.reconcile();
        assertThat(kube.lines("patch")).hasSize(2);
        assertThat(kube.lines("status")).hasSize(2).doesNotHaveDuplicates();
        assertThat(kube.log.getFirst()).isEqualTo("revision 1");
        assertThat(kube.log.get(1)).as("the status shows the state before the upgrade").isEqualTo("set 0/4");
        assertThat(kube.stored("a").status().latestRevision()).isNotEmpty();
    }

    @Test
    void aRefusedPodStopsNobodyAndIsTriedAgainLater() {
        fixture.given(1, "p1", "p2");
        String first = ReconcileFixture.firstChoice();
        kube.before = line -> {
            if (line.equals("patch " + first)) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };

        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Failed("refused"));
        assertThat(kube.lines("patch")).hasSize(2).doesNotHaveDuplicates();
        fixture.reconcile();
        assertThat(kube.lines("patch")).as("not again at once").hasSize(2);
        assertThat(kube.events).containsOnlyOnce("WARNING SidecarUpdateFailed " + first + ": denied by policy");

        kube.before = _ -> {
        };
        fixture.ready(ReconcileFixture.other(first));
        fixture.later(Duration.ofSeconds(31));
        fixture.reconcile();
        assertThat(kube.lines("patch " + first)).hasSize(2);
        assertThat(fixture.image(first)).isEqualTo("r.io/log:v2");
    }

    @Test
    void aConflictIsReadLiveAndDecidedAnew() {
        fixture.given(1, "p1");
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.startsWith("patch") && times.incrementAndGet() == 1) {
                kube.change(ReconcileFixture.key("p1"), pod -> ((ObjectNode) pod.path("metadata").path("labels")).put("touched", "yes"));
            }
        };

        assertThat(fixture.reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.log).containsSubsequence("patch p1", "read p1", "patch p1");
        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v2");
        assertThat(kube.pod(ReconcileFixture.key("p1")).path("metadata").path("labels").path("touched").asString()).isEqualTo("yes");
    }

    /** FR-29: nothing but its own count is touched by a Pod that vanished between list and write. */
    @Test
    void aPodThatIsGoneIsSkippedAndTheNextOneTakesItsTurn() {
        fixture.given(1, "p1", "p2");
        String first = ReconcileFixture.firstChoice();
        kube.delete(ReconcileFixture.key(first));

        assertThat(fixture.reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.lines("patch")).hasSize(2);
        assertThat(fixture.image(ReconcileFixture.other(first))).isEqualTo("r.io/log:v2");
        assertThat(fixture.meters.scrape()).contains("pillion_reconcile_writes_total{result=\"gone\",what=\"upgrade\"} 1.0");
    }

    @Test
    void aReplacedPodIsAnotherPod() {
        fixture.given(1, "p1");
        kube.change(ReconcileFixture.key("p1"), pod -> ((ObjectNode) pod.path("metadata")).put("uid", "successor"));

        assertThat(fixture.reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(fixture.image("p1")).as("the successor came with what the webhook gave it").isEqualTo("r.io/log:v1");
    }

    /** The answer got lost, the write did not: until the Pod was read, its place in the budget is taken (FR-27). */
    @Test
    void aWriteOfUnknownOutcomeIsReadBeforeAnythingElseIsUpgraded() {
        fixture.given(1, "p1", "p2");
        kube.after = line -> {
            if (line.startsWith("patch")) {
                throw new KubeException(0, "", false, "timeout");
            }
        };

        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Failed("unavailable"));
        assertThat(kube.lines("patch")).hasSize(1);
        String first = kube.lines("patch").getFirst().substring("patch ".length());
        kube.after = _ -> {
        };
        assertThat(fixture.reconcile()).as("the write may still be on its way").isEqualTo(new Outcome.Again(Duration.ofSeconds(1)));
        assertThat(kube.lines("read")).isEmpty();
        fixture.later(Duration.ofSeconds(1));
        fixture.reconcile();

        assertThat(kube.lines("read " + first)).hasSize(1);
        assertThat(kube.lines("patch")).as("maxUnavailable 1 is used up by the first").hasSize(1);
    }

    /** events.md 7.13: the failed condition takes the upgrade's place in the budget not back. */
    @Test
    void aFailingConditionDoesNotUndoTheUpgrade() {
        fixture.given(1, "p1", "p2");
        kube.before = line -> {
            if (line.startsWith("status")) {
                throw new KubeException(403, "Forbidden", false, "no access to pods/status");
            }
        };

        fixture.reconcile();
        fixture.later(Duration.ofSeconds(1));
        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Failed("refused"));
        fixture.reconcile();
        assertThat(kube.lines("patch")).hasSize(1);
        assertThat(kube.lines("status")).as("not again at once").hasSize(1);
        kube.before = _ -> {
        };
        fixture.later(Duration.ofSeconds(31));
        fixture.reconcile();
        assertThat(kube.lines("status")).hasSize(2);
    }

    /** The kubelet answers the new image with a status; a condition written before that would meet it as a conflict. */
    @Test
    void theConditionWaitsForTheKubeletsAnswer() {
        fixture.given(1, "p1");
        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Again(Duration.ofSeconds(1)));
        fixture.seen("p1");
        fixture.reconcile();
        assertThat(kube.lines("status")).as("the event of our own write is no answer").isEmpty();

        fixture.ready("p1");
        fixture.reconcile();

        assertThat(kube.lines("status")).containsExactly("status p1");
        assertThat(kube.lines("read")).isEmpty();
        fixture.later(Duration.ofSeconds(2));
        fixture.reconcile();
        assertThat(kube.lines("status")).hasSize(1);
    }

    /** A Pod that OpenKruise upgraded may lack it (takeover.md: no Pod is changed). */
    @Test
    void upgradesOfOthersGetNoCondition() {
        fixture.given(1, "p1");
        fixture.reconcile();
        kube.watch();
        fixture.restart();
        fixture.later(Duration.ofSeconds(2));

        fixture.reconcile();

        assertThat(kube.lines("status")).isEmpty();
    }

    @Test
    void aPauseDoesNotUndoTheConditionOfAnUpgradeBeforeIt() {
        fixture.given(1, "p1", "p2");
        fixture.reconcile();
        ObjectNode paused = ReconcileFixture.set("v2", "h2", 1, 3);
        ((ObjectNode) paused.path("spec").path("updateStrategy")).put("paused", true);
        fixture.publish(kube.put(paused));
        kube.watch();
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.startsWith("status") && times.incrementAndGet() == 1) {
                kube.change(ReconcileFixture.key("p2"), pod -> ((ObjectNode) pod.path("metadata").path("labels")).put("touched", "yes"));
            }
        };

        fixture.later(Duration.ofSeconds(1));
        fixture.reconcile();

        assertThat(kube.lines("patch")).hasSize(1);
        assertThat(kube.lines("status")).as("with a conflict on the way").containsExactly("status p2", "status p2");
    }

    @Test
    void ownWritesAreSeenByTheNextReconcileThoughNoEventCame() {
        fixture.given(1, "p1", "p2");
        fixture.reconcile();
        fixture.later(Duration.ofSeconds(2));
        fixture.reconcile();

        assertThat(kube.lines("patch")).hasSize(1);
        assertThat(kube.stored("a").status().updatedPods()).isEqualTo(1);
    }

    @Test
    void statusIsWrittenOncePerIntervalAndAtTheEndAtOnce() {
        fixture.given(4, "p1", "p2");
        fixture.reconcile();
        assertThat(kube.lines("set")).containsExactly("set 0/2");

        fixture.later(Duration.ofMillis(300));
        assertThat(fixture.reconcile()).isInstanceOfSatisfying(Outcome.Again.class,
                again -> assertThat(again.after()).isLessThanOrEqualTo(Duration.ofMillis(700)));
        assertThat(kube.lines("set")).hasSize(1);

        fixture.later(Duration.ofMillis(200));
        fixture.ready("p1");
        fixture.ready("p2");
        fixture.reconcile();
        assertThat(kube.lines("set")).containsExactly("set 0/2", "set 2/2");
        fixture.reconcile();
        assertThat(kube.lines("set")).as("nothing differs").hasSize(2);
    }

    @Test
    void aStatusThatLostARaceIsWrittenToTheLiveSet() {
        fixture.given(1, "p1");
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.equals("set") && times.incrementAndGet() == 1) {
                ObjectNode raw = kube.stored("a").raw().deepCopy();
                ((ObjectNode) raw.path("metadata")).withObject("labels").put("touched", "yes");
                kube.put(raw);
            }
        };

        assertThat(fixture.reconcile()).isNotInstanceOf(Outcome.Failed.class);
        assertThat(kube.stored("a").status().matchedPods()).isEqualTo(1);
    }

    @Test
    void countsOfAnOldSpecNeverReachANewOneAndNoPodIsWrittenForIt() {
        fixture.given(1, "p1");
        kube.before = line -> {
            if (line.equals("set")) {
                kube.put(ReconcileFixture.set("v3", "h3", 1, 9));
            }
        };

        assertThat(fixture.reconcile()).isInstanceOf(Outcome.Again.class);
        assertThat(kube.stored("a").status().observedGeneration()).isZero();
        assertThat(kube.lines("patch")).isEmpty();
    }

    @Test
    void aSetBeingDeletedGetsNoRevisionAndNoUpgrade() {
        ObjectNode deleting = ReconcileFixture.set("v2", "h2", 1, 2);
        ((ObjectNode) deleting.path("metadata")).put("deletionTimestamp", "2026-01-02T03:04:05Z");
        fixture.given(deleting, "p1");
        fixture.reconcile();

        assertThat(kube.lines("patch")).isEmpty();
        assertThat(kube.lines("revision")).isEmpty();
    }

    @Test
    void everythingOfASetThatIsGoneIsForgotten() {
        fixture.given(1, "p1");
        fixture.reconcile();
        assertThat(fixture.ledgers.size()).isEqualTo(1);
        fixture.latest.put(SetIndex.EMPTY);
        fixture.inboxes.append(ReconcileFixture.A, new PodChange.Rebuild());

        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Gone());
        assertThat(fixture.ledgers.size()).isZero();
        assertThat(fixture.inboxes.drain(ReconcileFixture.A)).isEmpty();
    }

    @Test
    void aStandingRollOutSaysWhyOnce() {
        fixture.given(1, "p1", "p2");
        fixture.reconcile();
        assertThat(kube.events).isEmpty();
        fixture.later(Duration.ofSeconds(4));
        fixture.reconcile();
        fixture.later(Duration.ofSeconds(4));
        fixture.reconcile();

        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("WARNING RolloutBlocked a: 1 pod waits (n/p1): ")
                .contains("maxUnavailable", "wait for n/p2");
    }

    @Test
    void podsThatCannotBeUpgradedAreMarkedAndToldOnce() {
        fixture.given(ReconcileFixture.set("v2", "h2", 1, 2, "other-w"), "p1");
        fixture.reconcile();
        fixture.later(Duration.ofSeconds(2));
        fixture.reconcile();

        assertThat(kube.lines("patch")).isEmpty();
        assertThat(kube.lines("status")).hasSize(1);
        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("NORMAL NotUpgradablePods a: 1 pod is not updated in place (n/p1): ");
    }

}

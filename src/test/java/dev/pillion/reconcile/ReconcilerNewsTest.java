package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.PodChange;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.node.ObjectNode;

/** Each reason for which Pods are left alone is told once when it begins to hold, with numbers and names (FR-31, FR-35, FR-40). */
class ReconcilerNewsTest {
    private final ReconcileFixture fixture = new ReconcileFixture();
    private final FaultyKube kube = fixture.kube;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aChangeThatRunningPodsCannotTakeOverIsToldOncePerChangeWithTheNumberOfPods() {
        fixture.given(ReconcileFixture.set("v2", "h2", 1, 2, "other-w"), "p1", "p2", "p3");
        rounds(3);
        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("NORMAL NotUpgradablePods a: 3 pods are not updated in place (n/p1, n/p2, n/p3): ");

        fixture.publish(kube.put(ReconcileFixture.set("v3", "h3", 1, 3, "third-w")));
        rounds(3);
        assertThat(kube.events).hasSize(2);
        assertThat(fixture.meters.scrape()).contains("pillion_rollout_waiting_pods{reason=\"not-upgradable\"} 3.0");
    }

    @Test
    void aPausedRollOutIsToldOnceItHasStoodForAWhile() {
        fixture.given(paused(2), "p1", "p2");
        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Again(Duration.ofSeconds(3)));
        assertThat(kube.events).isEmpty();

        rounds(3);

        assertThat(kube.events).containsExactly("NORMAL RolloutWaiting a: 2 pods wait (n/p1, n/p2): updateStrategy.paused is true");
        assertThat(fixture.meters.scrape()).contains("pillion_rollout_waiting_pods{reason=\"paused\"} 2.0");
    }

    /** FR-55: what was so before is no news, and unchanged sets cost no write. */
    @Test
    void aStartOfTheProgramTellsNoOldNews() {
        fixture.given(paused(2), "p1");
        rounds(3);
        assertThat(kube.events).hasSize(1);

        fixture.restart();
        rounds(3);
        assertThat(kube.events).hasSize(1);
    }

    @Test
    void aBlockWithinARestartOfTheProgramIsToldAgain() {
        fixture.given(1, "p1", "p2");
        rounds(2);
        assertThat(kube.events).hasSize(1);

        fixture.restart();
        rounds(2);
        assertThat(kube.events).hasSize(2).allSatisfy(e -> assertThat(e).startsWith("WARNING RolloutBlocked a: 1 pod waits"));
    }

    @Test
    void aBlockThatEndedAndComesBackIsAnotherOne() {
        fixture.given(1, "p1", "p2", "p3");
        rounds(3);
        assertThat(kube.events).hasSize(1);

        fixture.ready("p3");
        fixture.reconcile();
        assertThat(kube.events).as("it moves").hasSize(1);
        fixture.later(Duration.ofSeconds(60));
        fixture.reconcile();
        fixture.later(Duration.ofSeconds(60));
        fixture.reconcile();
        assertThat(kube.events).hasSize(2);
        assertThat(kube.events.get(1)).contains("1 pod waits (n/p1)", "wait for n/p2");
    }

    /** Images take their time: what is as slow as the Pod before it is no block. */
    @Test
    void podsThatTakeAsLongAsOthersBeforeThemAreNoBlock() {
        fixture.given(1, "p1", "p2", "p3", "p4");
        fixture.reconcile();
        for (String pod : List.of("p4", "p3", "p2")) {
            for (int second = 0; second < 10; second++) {
                fixture.later(Duration.ofSeconds(1));
                fixture.reconcile();
            }
            fixture.ready(pod);
            fixture.reconcile();
        }

        assertThat(kube.events).as("of the first one nobody knew").hasSize(1);
    }

    /** FR-40: the set was deleted and made anew with the other upgrade type. */
    @Test
    void podsWithOtherContainersAreNamedAndLeftAlone() {
        fixture.given(ReconcileFixture.hotSet(1), "p1", "p2");
        rounds(3);

        assertThat(kube.lines("patch")).isEmpty();
        assertThat(kube.lines("status")).isEmpty();
        assertThat(kube.events).hasSize(1);
        assertThat(kube.events.getFirst()).startsWith("NORMAL OtherContainers a: 2 pods are not updated in place (n/p1, n/p2): ")
                .contains("re-create them");
        kube.delete(ReconcileFixture.key("p1"));
        fixture.inboxes.append(ReconcileFixture.A, new PodChange.Gone(ReconcileFixture.key("p1"), "uid-p1"));
        fixture.reconcile();
        assertThat(fixture.meters.scrape()).contains("pillion_rollout_waiting_pods{reason=\"other-containers\"} 1.0");
    }

    @Test
    void theNumbersOfASetThatIsGoneAreGone() {
        fixture.given(paused(2), "p1");
        rounds(2);
        fixture.latest.put(SetIndex.EMPTY);
        fixture.reconcile();

        assertThat(fixture.meters.scrape()).contains("pillion_rollout_waiting_pods{reason=\"paused\"} 0.0");
    }

    private void rounds(int many) {
        for (int i = 0; i < many; i++) {
            fixture.reconcile();
            fixture.later(Duration.ofSeconds(4));
        }
    }

    private static ObjectNode paused(int generation) {
        ObjectNode set = ReconcileFixture.set("v2", "h2", 1, generation);
        ((ObjectNode) set.path("spec")).set("updateStrategy", Json.read("{\"type\":\"RollingUpdate\",\"paused\":true}"));
        return set;
    }
}

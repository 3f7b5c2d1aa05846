package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Wire;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.KubeException;

import tools.jackson.databind.node.ObjectNode;

/** Nothing a single Pod causes keeps the others waiting (rollout.md 16.2 I, FR-27, FR-29). */
class ReconcilerProgressTest {
    private final ReconcileFixture fixture = new ReconcileFixture();
    private final FaultyKube kube = fixture.kube;

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The answer got lost and so did the write: the live read tells, and nobody else will. */
    @Test
    void aWriteThatDidNotHappenIsMadeUpForWithoutAnyEvent() {
        fixture.given(1, "p1");
        kube.before = line -> {
            if (line.startsWith("patch")) {
                throw new KubeException(0, "", false, "timeout");
            }
        };
        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Failed("unavailable"));
        kube.before = _ -> {
        };

        untilSettled(5);

        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v2");
    }

    /** As when the webhook of one namespace is down and its policy is Fail: HTTP 500 for this Pod, and for no other. */
    @Test
    void aPodWhoseWritesFailInTheServerKeepsNobodyWaiting() {
        fixture.given(1, "p1", "p2");
        kube.before = line -> {
            if (line.equals("patch p2")) {
                throw new KubeException(500, "InternalError", false, "failed calling webhook");
            }
        };

        untilSettled(6);

        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v2");
        assertThat(kube.lines("patch p2")).as("not in every reconcile").hasSizeLessThanOrEqualTo(3);
        kube.before = _ -> {
        };
        fixture.ready("p1");
        fixture.later(Duration.ofSeconds(33));
        untilSettled(3);
        assertThat(fixture.image("p2")).isEqualTo("r.io/log:v2");
    }

    @Test
    void manyRefusedPodsAreGoneThroughWithoutGrowingWaits() {
        String[] pods = IntStream.rangeClosed(1, 40).mapToObj(i -> "p" + i).toArray(String[]::new);
        fixture.given(1, pods);
        kube.before = line -> {
            if (line.startsWith("patch") && !line.equals("patch p1")) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };

        int failures = 0;
        for (int i = 0; i < 20 && !fixture.image("p1").equals("r.io/log:v2"); i++) {
            failures += fixture.reconcile() instanceof Outcome.Failed ? 1 : 0;
        }

        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v2");
        assertThat(failures).as("reconciles that lead to a longer wait").isLessThanOrEqualTo(1);
        assertThat(kube.lines("patch")).as("each Pod was tried once").doesNotHaveDuplicates();
    }

    /** The image that a policy refused is corrected: nobody waits for the old refusal's time to be over. */
    @Test
    void aChangeOfTheSetIsTriedAtOnce() {
        fixture.given(1, "p1");
        kube.before = line -> {
            if (line.startsWith("patch")) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };
        fixture.reconcile();
        fixture.reconcile();
        assertThat(kube.lines("patch")).hasSize(1);
        kube.before = _ -> {
        };

        fixture.publish(kube.put(ReconcileFixture.set("v3", "h3", 1, 3)));
        fixture.reconcile();
        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v3");
    }

    @Test
    void whatIsRefusedAgainAndAgainIsTriedEverMoreSeldom() {
        fixture.given(1, "p1");
        kube.before = line -> {
            if (line.startsWith("patch")) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };
        for (int second = 0; second < 300; second++) {
            fixture.reconcile();
            fixture.later(Duration.ofSeconds(1));
        }

        assertThat(kube.lines("patch")).hasSizeBetween(10, 16);
    }

    /** A round with a flip upgrades nobody, so a flip that is refused must not come again at once. */
    @Test
    void aRefusedFlipStopsNobody() {
        fixture.given(ReconcileFixture.hotSet(2));
        kube.put(ReconcileFixture.key("p1"), ReconcileFixture.hotPod("p1", "h2", "r.io/mesh:v1", "r.io/mesh:v2", "mesh-2"));
        kube.put(ReconcileFixture.key("p2"), ReconcileFixture.hotPod("p2", "h1", "r.io/mesh:v1", "r.io/empty:1", "mesh-1"));
        kube.watch();
        kube.before = line -> {
            if (line.equals("patch p1")) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };

        fixture.reconcile();
        fixture.reconcile();

        assertThat(kube.lines("patch")).containsExactly("patch p1", "patch p2");
        assertThat(kube.events).containsOnlyOnce("WARNING ResetContainerFailed p1: denied by policy");
        kube.before = _ -> {
        };
        fixture.later(Duration.ofSeconds(31));
        fixture.reconcile();
        assertThat(kube.lines("patch p1")).hasSize(2);
    }

    /** rollout.md 12.3. */
    @Test
    void aRefusedMarkIsNotTriedAgainAtOnceAndStopsNobody() {
        fixture.given(1, "p1");
        kube.put(ReconcileFixture.key("p2"), ReconcileFixture.pod("p2"));
        kube.change(ReconcileFixture.key("p2"), pod -> ((ObjectNode) pod.path("metadata").path("annotations"))
                .put(Wire.HASH_WITHOUT_IMAGE, "{\"a\":{\"hash\":\"older\"}}"));
        kube.watch();
        kube.before = line -> {
            if (line.equals("status p2")) {
                throw new KubeException(403, "Forbidden", false, "denied by policy");
            }
        };

        fixture.reconcile();
        fixture.reconcile();

        assertThat(kube.lines("status p2")).hasSize(1);
        assertThat(fixture.image("p1")).isEqualTo("r.io/log:v2");
    }

    /** As the queue would: again while it is asked for, at most so often; time passes as asked. */
    private void untilSettled(int most) {
        for (int i = 0; i < most; i++) {
            switch (fixture.reconcile()) {
                case Outcome.Again again when again.after().compareTo(Duration.ofSeconds(10)) <= 0 -> fixture.later(again.after());
                case Outcome.Failed _ -> fixture.later(Duration.ofMillis(20));
                case Outcome.Again _,Outcome.Settled _,Outcome.Gone _,Outcome.Lost _ -> {
                    return;
                }
            }
        }
    }
}

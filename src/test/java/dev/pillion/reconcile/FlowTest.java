package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.PodChange;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.kube.KubeException;

/** Pods are written in steady motion, as far as the budget allows. */
class FlowTest {
    private final ReconcileFixture fixture = new ReconcileFixture();
    private final FaultyKube kube = fixture.kube;
    private final ConcurrentLinkedQueue<String> begun = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** p4 and p3 are upgraded first; p4 is ready again while the write of p3 hangs. */
    @Test
    void theNextPodDoesNotWaitForTheSlowestWrite() {
        fixture.given(2, "p1", "p2", "p3", "p4");
        CountDownLatch thirdBegun = new CountDownLatch(1);
        kube.atBegin = line -> {
            begun.add(line);
            switch (line) {
                case "patch p3" -> await(thirdBegun);
                case "patch p2" -> thirdBegun.countDown();
                default -> {
                }
            }
        };
        kube.after = line -> {
            if (line.equals("patch p4")) {
                fixture.ready("p4");
            }
        };

        fixture.reconcile();

        assertThat(begun).as("p2 came while p3 was under way, and p1 has to wait").contains("patch p2", "patch p3", "patch p4")
                .doesNotContain("patch p1");
        assertThat(fixture.image("p2")).isEqualTo("r.io/log:v2");
    }

    /** The write of p4 is told of while it is under way still; its answer must not bring a deleted Pod back. */
    @Test
    void newsOfAPodUnderWayComeAfterItsAnswer() {
        fixture.given(2, "p1", "p3", "p4");
        kube.after = line -> {
            if (line.equals("patch p4")) {
                // Deleted after the upgrade; the watch is faster than the answer.
                kube.delete(ReconcileFixture.key("p4"));
                fixture.inboxes.append(ReconcileFixture.A, new PodChange.Gone(ReconcileFixture.key("p4"), "uid-p4"));
            }
        };

        fixture.reconcile();
        fixture.later(Duration.ofMinutes(1));
        fixture.reconcile();

        assertThat(kube.lines("read p4")).as("nobody waits for an event of it").isEmpty();
        assertThat(kube.lines("patch")).as("it takes up no budget").contains("patch p1");
    }

    /** Other sets shall have their turn, and the status is due. */
    @Test
    void afterAWhileNothingMoreIsStarted() {
        String[] pods = IntStream.rangeClosed(1, 40).mapToObj(i -> "p" + i).toArray(String[]::new);
        fixture.given(40, pods);
        kube.before = _ -> fixture.later(Duration.ofMillis(100));

        Outcome first = fixture.reconcile();
        int started = kube.lines("patch").size();

        assertThat(first).isEqualTo(new Outcome.Again(Duration.ZERO));
        assertThat(started).isBetween(1, 39);
        for (int i = 0; i < 40 && kube.lines("patch").size() < 40; i++) {
            fixture.reconcile();
        }
        assertThat(kube.lines("patch")).hasSize(40).doesNotHaveDuplicates();
    }

    /** A pause takes hold at once, not when everything decided has been carried out. */
    @Test
    void startsNothingForASetThatIsAnotherOne() {
        String[] pods = IntStream.rangeClosed(1, 40).mapToObj(i -> "p" + i).toArray(String[]::new);
        fixture.given(40, pods);
        kube.after = _ -> fixture.publish(kube.put(ReconcileFixture.set("v3", "h3", 0, 3)));

        fixture.reconcile();

        assertThat(kube.lines("patch")).hasSizeLessThan(40);
    }

    /** Whoever was refused would only be refused again. */
    @Test
    void plansNothingMoreAfterAFailure() {
        fixture.given(1, "p1");
        kube.before = line -> {
            if (line.startsWith("patch")) {
                fixture.ready("p1");
                throw new KubeException(409, "Conflict", false, "the object has been modified");
            }
            if (line.startsWith("read")) {
                throw new KubeException(503, "ServiceUnavailable", false, "try later");
            }
        };

        assertThat(fixture.reconcile()).isEqualTo(new Outcome.Failed("conflict"));
        assertThat(kube.lines("patch")).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).as("the next Pod was begun").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.PodChange;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.Ownership;
import dev.pillion.bus.Slots;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.revision.RevisionOptions;
import dev.pillion.rollout.RolloutOptions;

/** No write starts once the set's slot is lost, wherever in a reconcile that happens. */
class ReconcilerFenceTest {
    private final ReconcileFixture fixture = new ReconcileFixture();
    private final FaultyKube kube = fixture.kube;
    private final AtomicLong clock = new AtomicLong();
    private final Ownership ownership = new Ownership(new Slots(1), clock::get);
    private final List<String> writes = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Reconciler reconciler(int parallel) {
        ReconcileOptions options = new ReconcileOptions(RolloutOptions.PILLION, RevisionOptions.PILLION, parallel, Duration.ZERO);
        return new Reconciler(kube.ports(), new Reconciler.Shared(fixture.latest, fixture.inboxes, fixture.ledgers,
                new ReconcileMeters(fixture.meters, 1), ownership), options, () -> Instant.parse("2026-01-02T03:04:05Z"));
    }

    private static boolean isWrite(String line) {
        return !line.startsWith("read");
    }

    private void own() {
        ownership.begin(Slots.FIRST, 1, clock.get() + 100);
    }

    @Test
    void nothingIsDoneForASetOfOthers() {
        fixture.given(2, "p1", "p2");
        fixture.inboxes.append(ReconcileFixture.A, new PodChange.Rebuild());

        assertThat(reconciler(1).reconcile(ReconcileFixture.A)).isEqualTo(new Outcome.Lost());

        assertThat(kube.log).isEmpty();
        assertThat(fixture.inboxes.drain(ReconcileFixture.A)).as("left for the next ticket").hasSize(1);
    }

    /** The term ends during the n-th write; that one was started before. */
    @Test
    void endsAfterTheWriteInHandWhicheverItIs() {
        int all = writesOfAWholeReconcile();
        assertThat(all).as("revision, status, pods and conditions").isGreaterThanOrEqualTo(6);
        for (int last = 1; last < all; last++) {
            try (ReconcileFixture fresh = new ReconcileFixture()) {
                assertEndsAfter(last, fresh);
            }
        }
    }

    /** The kubelet's answer to each new image makes the condition due within the same reconcile. */
    private static void kubeletOf(ReconcileFixture fixture) {
        fixture.kube.after = line -> {
            if (line.startsWith("patch ")) {
                fixture.ready(line.substring("patch ".length()));
            }
        };
    }

    private int writesOfAWholeReconcile() {
        fixture.given(2, "p1", "p2");
        kubeletOf(fixture);
        own();
        reconciler(1).reconcile(ReconcileFixture.A);
        return (int) kube.log.stream().filter(ReconcilerFenceTest::isWrite).count();
    }

    private void assertEndsAfter(int last, ReconcileFixture fresh) {
        Ownership owned = new Ownership(new Slots(1), clock::get);
        owned.begin(Slots.FIRST, 1, clock.get() + 100);
        fresh.given(2, "p1", "p2");
        kubeletOf(fresh);
        List<String> seen = new ArrayList<>();
        fresh.kube.before = line -> {
            seen.add(line);
            if (seen.stream().filter(ReconcilerFenceTest::isWrite).count() == last) {
                clock.addAndGet(100);
            }
        };
        ReconcileOptions options = new ReconcileOptions(RolloutOptions.PILLION, RevisionOptions.PILLION, 1, Duration.ZERO);
        Reconciler reconciler = new Reconciler(fresh.kube.ports(), new Reconciler.Shared(fresh.latest, fresh.inboxes, fresh.ledgers,
                new ReconcileMeters(fresh.meters, 1), owned), options, () -> Instant.parse("2026-01-02T03:04:05Z"));

        assertThat(reconciler.reconcile(ReconcileFixture.A)).as("after write %d", last).isEqualTo(new Outcome.Lost());

        assertThat(seen.stream().filter(ReconcilerFenceTest::isWrite)).as("writes started").hasSize(last);
    }

    @Test
    void parallelWritersStopToo() {
        String[] pods = new String[40];
        for (int i = 0; i < pods.length; i++) {
            pods[i] = "p" + i;
        }
        fixture.given(40, pods);
        own();
        kube.before = line -> {
            synchronized (writes) {
                if (line.startsWith("patch")) {
                    writes.add(line);
                    ownership.end(Slots.FIRST);
                }
            }
        };

        assertThat(reconciler(4).reconcile(ReconcileFixture.A)).isEqualTo(new Outcome.Lost());

        assertThat(writes).as("at most one for each writer").hasSizeBetween(1, 4);
        assertThat(kube.lines("status p")).isEmpty();
        assertThat(fixture.meters.scrape()).contains("pillion_reconcile_writes_total{result=\"ownership-lost\",what=\"upgrade\"}");
    }

    @Test
    void aSecondTryAfterAConflictAsksAgain() {
        fixture.given(1, "p1");
        own();
        kube.before = line -> {
            if (line.startsWith("patch")) {
                kube.change(ReconcileFixture.key("p1"), pod -> pod.withObject("/metadata/labels").put("touched", "yes"));
                ownership.end(Slots.FIRST);
            }
        };

        assertThat(reconciler(1).reconcile(ReconcileFixture.A)).isEqualTo(new Outcome.Lost());

        assertThat(kube.lines("patch")).hasSize(1);
    }

    @Test
    void aNewTermBeginsAnew() {
        fixture.given(2, "p1", "p2");
        own();
        kube.before = line -> {
            if (line.startsWith("patch")) {
                ownership.end(Slots.FIRST);
                ownership.begin(Slots.FIRST, 2, clock.get() + 100);
                throw new KubeException(0, "Timeout", false, "no answer");
            }
        };
        assertThat(reconciler(1).reconcile(ReconcileFixture.A)).as("the plan of the old term is not carried on")
                .isEqualTo(new Outcome.Lost());
        assertThat(kube.lines("patch")).hasSize(1);

        kube.before = _ -> {
        };
        assertThat(reconciler(1).reconcile(ReconcileFixture.A)).isNotEqualTo(new Outcome.Lost());
    }
}

package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.KubeException;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.revision.RevisionOptions;
import dev.pillion.rollout.Ledger;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

class RevisionKeeperTest {
    private final FaultyKube kube = new FaultyKube();
    private final Meters meters = new Meters();
    private final RevisionKeeper keeper = new RevisionKeeper(kube.revisions, RevisionOptions.PILLION, new ReconcileMeters(meters, 1));
    private final SetState state = new SetState("uid", new Ledger(RolloutOptions.PILLION));

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void registersOncePerSpecAndRenumbersOnTheWayBack() {
        String a = register(1, "a", "").latest();
        assertThat(register(1, "a", "").latest()).isEqualTo(a);
        String b = register(2, "b", "").latest();
        assertThat(register(3, "a", "").latest()).isEqualTo(a).isNotEqualTo(b);

        assertThat(kube.log).containsExactly("revision 1", "revision 2", "renumber 3");
    }

    @Test
    void aRevisionThatSomebodyDeletedComesBack() {
        register(1, "a", "");
        kube.revisions.delete(kube.revisions.of("s").getFirst());

        register(1, "a", "");
        assertThat(kube.log).containsExactly("revision 1", "delete revision 1", "revision 1");
    }

    @Test
    void aConflictWhileRenumberingIsReadLive() {
        register(1, "a", "");
        register(2, "b", "");
        AtomicInteger times = new AtomicInteger();
        kube.before = line -> {
            if (line.equals("renumber") && times.incrementAndGet() < 3) {
                throw new KubeException(409, "Conflict", false, "the object has been modified");
            }
        };

        RevisionKeeper.Registered back = register(3, "a", "");
        assertThat(back.history().getLast().number()).isEqualTo(3);
        assertThat(kube.lines("renumber")).hasSize(3);
    }

    /** rollout.md 16.2 O: in the reference this stops every reconcile of the set. */
    @Test
    void aCustomVersionThatIsNoLabelStopsNothing() {
        register(1, "a", "v1");
        kube.before = line -> {
            if (line.equals("label")) {
                throw new KubeException(422, "Invalid", false, "a valid label must be ...");
            }
        };

        assertThat(register(2, "a", "no label!").latest()).isNotEmpty();
    }

    @Test
    void shortensTheHistoryButKeepsWhatPodsUse() {
        for (int generation = 1; generation <= 4; generation++) {
            register(generation, "image-" + generation, "");
        }
        RevisionKeeper.Registered last = register(5, "image-5", "");
        String used = last.history().getFirst().name();

        keeper.truncate(set(5, "image-5", "", 2), state, last.history(), Set.of(used));
        assertThat(kube.revisions.of("s")).extracting(r -> r.number()).containsExactlyInAnyOrder(1L, 5L);
    }

    private RevisionKeeper.Registered register(int generation, String image, String version) {
        return keeper.register(set(generation, image, version, 10), state).orElseThrow();
    }

    private static SidecarSet set(int generation, String image, String version, int limit) {
        return SidecarSet.of((ObjectNode) Json.read("""
                {"metadata":{"name":"s","uid":"uid","generation":%d},
                 "spec":{"containers":[{"name":"c","image":"%s"}],"customVersion":"%s","revisionHistoryLimit":%d}}""".formatted(generation,
                image, version, limit)));
    }
}

package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;

import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;

/** What the state machine of a Lease takes for granted. */
@OnEveryCluster
final class LeasesIT {
    private static final LeaseSpec HELD = new LeaseSpec("a_1", Optional.of(Duration.ofSeconds(15)), "2026-01-02T03:04:05.000006Z",
            "2026-01-02T03:04:05.000006Z", 3, Map.of());

    private final KubernetesClient users;
    private final KubeClient client;
    private final String namespace;
    private final Leases leases;

    LeasesIT(Cluster cluster) {
        this.users = cluster.client();
        this.namespace = cluster.newNamespace("leases");
        this.client = KubeFixture.connect(cluster.kubeconfig(), namespace, Duration.ofSeconds(60));
        this.leases = client.leases(Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        client.close();
        users.close();
    }

    private Resource<Lease> lease(String name) {
        return users.leases().inNamespace(namespace).withName(name);
    }

    @Test
    void whatIsWrittenIsReadBackToTheLetter() {
        assertThat(leases.read("none")).isEmpty();
        LeaseRecord created = leases.create("letter", HELD);
        assertThat(created.spec()).isEqualTo(HELD);
        assertThat(leases.read("letter")).contains(created);

        LeaseSpec cleared = new LeaseSpec("", Optional.of(Duration.ofMillis(14_001)), "", "2026-01-02T03:04:05.000007Z", 3,
                Map.of("pillion.dev/released-by", "a_1"));
        LeaseRecord released = leases.change(created, cleared);
        assertThat(released.uid()).isEqualTo(created.uid());
        assertThat(released.version()).isNotEqualTo(created.version());
        assertThat(released.spec())
                .isEqualTo(new LeaseSpec("", Optional.of(Duration.ofSeconds(15)), "", cleared.renewed(), 3, cleared.marks()));

        assertThat(leases.change(released, HELD).spec()).as("the mark goes").isEqualTo(HELD);
        assertThat(leases.create("empty", LeaseSpec.EMPTY.withMarks(Map.of("pillion.dev/slots", "1"))).spec().marks())
                .containsEntry("pillion.dev/slots", "1");
    }

    @Test
    void onlyTheVeryVersionIsChanged() {
        LeaseRecord first = leases.create("guard", HELD);
        LeaseRecord second = leases.change(first, HELD.withMarks(Map.of("pillion.dev/x", "y")));

        assertThat(failure(first).isConflict()).isTrue();
        assertThat(leases.read("guard")).contains(second);
        assertThat(catchThrowableOfType(KubeException.class, () -> leases.create("guard", HELD)).isAlreadyExists()).isTrue();
    }

    @Test
    void whatIsDeletedIsNeitherChangedNorCreated() {
        LeaseRecord first = leases.create("deleted", HELD);
        lease("deleted").delete();
        assertThat(failure(first).isGone()).isTrue();
        assertThat(lease("deleted").get()).isNull();

        leases.create("deleted", LeaseSpec.EMPTY);
        KubeException another = failure(first);
        assertThat(another.isGone() || another.isConflict()).isTrue();
        assertThat(leases.read("deleted").orElseThrow().spec().holder()).isEmpty();
    }

    @Test
    void whatOthersWroteStays() {
        LeaseRecord first = leases.create("shared", HELD);
        lease("shared").edit(l -> {
            l.getMetadata().setLabels(Map.of("team", "x"));
            l.getMetadata().setAnnotations(Map.of("note", "kept"));
            return l;
        });
        LeaseRecord touched = leases.read("shared").orElseThrow();
        assertThat(touched.spec()).as("no edit of the record").isEqualTo(first.spec());

        leases.change(touched, HELD);

        Lease found = lease("shared").get();
        assertThat(found.getMetadata().getLabels()).containsEntry("team", "x");
        assertThat(found.getMetadata().getAnnotations()).containsEntry("note", "kept");
    }

    private KubeException failure(LeaseRecord known) {
        return catchThrowableOfType(KubeException.class, () -> leases.change(known, HELD));
    }
}

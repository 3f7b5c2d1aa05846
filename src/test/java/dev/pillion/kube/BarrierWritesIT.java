package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;

/** Barrier ConfigMaps as the API server stores them, and what it says when they are gone or replaced. */
@OnEveryCluster
final class BarrierWritesIT {
    private final KubernetesClient users;
    private final KubeClient client;
    private final Cluster cluster;
    private String namespace = "";

    BarrierWritesIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.client = KubeFixture.connect(cluster.kubeconfig(), "default", Duration.ofSeconds(30));
    }

    @BeforeEach
    void makeNamespace() {
        namespace = cluster.newNamespace("barriers");
    }

    @AfterEach
    void close() {
        client.close();
        users.close();
    }

    private PodView pod() {
        PodKey key = new PodKey(namespace, "web-0");
        KubeFixture.createPod(users, key, "");
        return client.podWrites().read(key);
    }

    private ConfigMap stored() {
        return users.configMaps().inNamespace(namespace).withName("web-0-barrier").get();
    }

    private void put(String... data) {
        users.resource(new ConfigMapBuilder().withNewMetadata().withNamespace(namespace).withName("web-0-barrier").endMetadata()
                .addToData(data[0], data[1]).build()).create();
    }

    private static KubeException failure(Runnable call) {
        return catchThrowableOfType(KubeException.class, call::run);
    }

    @Test
    void makesItAsTheOriginalDoes() {
        PodView pod = pod();
        assertThat(client.barrierWrites().read(pod)).isEmpty();

        BarrierMap made = client.barrierWrites().create(pod, Set.of("p_5"));
        BarrierMap more = client.barrierWrites().add(made, Set.of("p_0", "p_-1"));

        ConfigMap stored = stored();
        assertThat(stored.getData()).isEqualTo(Map.of("p_5", "true", "p_0", "true", "p_-1", "true"));
        assertThat(stored.getMetadata().getLabels()).isNullOrEmpty();
        assertThat(stored.getMetadata().getOwnerReferences()).containsExactly(
                new OwnerReferenceBuilder().withApiVersion("v1").withKind("Pod").withName("web-0").withUid(pod.uid()).build());
        assertThat(more.keys()).containsExactlyInAnyOrder("p_5", "p_0", "p_-1");
        assertThat(client.barrierWrites().read(pod)).contains(more);
        assertThat(failure(() -> client.barrierWrites().create(pod, Set.of())).isAlreadyExists()).isTrue();
    }

    @Test
    void neverWritesToOrDeletesAnotherOfTheSameName() {
        PodView pod = pod();
        BarrierMap made = client.barrierWrites().create(pod, Set.of("p_5"));
        users.configMaps().inNamespace(namespace).withName("web-0-barrier").delete();
        KubeException gone = failure(() -> client.barrierWrites().add(made, Set.of("p_0")));
        put("mine", "1");
        KubeException replaced = failure(() -> client.barrierWrites().add(made, Set.of("p_0")));
        KubeException adopted = failure(() -> client.barrierWrites().adopt(made, pod, Set.of("p_0")));
        client.barrierWrites().delete(made);

        assertThat(gone.isGone()).isTrue();
        assertThat(replaced.isGone() || replaced.isConflict()).as(replaced.toString()).isTrue();
        assertThat(adopted.isGone() || adopted.isConflict()).as(adopted.toString()).isTrue();
        assertThat(stored().getData()).isEqualTo(Map.of("mine", "1"));
        assertThat(stored().getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void adoptsOneWithoutOwnerAndDeletesExactlyOne() {
        PodView pod = pod();
        put("p_5", "true");
        BarrierMap found = client.barrierWrites().read(pod).orElseThrow();
        assertThat(found.owners()).isEmpty();

        BarrierMap adopted = client.barrierWrites().adopt(found, pod, Set.of("p_0"));

        assertThat(adopted.owners()).containsExactly(new BarrierMap.Owner("Pod", pod.uid()));
        assertThat(adopted.keys()).containsExactlyInAnyOrder("p_5", "p_0");
        client.barrierWrites().delete(adopted);
        assertThat(stored()).isNull();
        client.barrierWrites().delete(adopted);
    }
}

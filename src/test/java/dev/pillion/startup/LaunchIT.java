package dev.pillion.startup;

import static dev.pillion.startup.StartingPods.barrier;
import static dev.pillion.startup.StartingPods.container;
import static dev.pillion.startup.StartingPods.isCompleted;
import static dev.pillion.startup.StartingPods.isReady;
import static dev.pillion.startup.StartingPods.running;
import static dev.pillion.startup.StartingPods.waits;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;
import dev.pillion.startup.Starting.Role;

import tools.jackson.databind.JsonNode;

/** Launch priority with a kubelet that holds containers back as a real one does (neighbours.md 1.4, 1.6). */
@OnEveryCluster
final class LaunchIT {
    private static final String HELD = "CreateContainerConfigError";

    private final Cluster cluster;
    private final KubernetesClient users;
    private final Simulators simulators;
    private StartingPods pods;

    LaunchIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(10, 20), Delay.of(50, 100), Delay.of(10, 20)));
        this.pods = new StartingPods(users, "none");
    }

    @BeforeEach
    void makeNamespace() throws Exception {
        Starting.installCrd(users);
        pods = new StartingPods(users, cluster.newNamespace("launch"));
    }

    @AfterEach
    void close() {
        simulators.close();
        users.close();
    }

    @Test
    void groupsStartOneAfterTheOther() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            Pod pod = pods.ordered("web-0", "a p_0", "b p_5", "c p_-1", "d p_5");
            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));

            assertThat(pods.data("web-0")).isEqualTo(Map.of("p_5", "true", "p_0", "true", "p_-1", "true"));
            ConfigMap map = pods.map("web-0").orElseThrow();
            assertThat(map.getMetadata().getOwnerReferences()).containsExactly(new OwnerReferenceBuilder().withApiVersion("v1")
                    .withKind("Pod").withName("web-0").withUid(pod.getMetadata().getUid()).build());
            assertThat(startsOf("web-0")).containsExactly(List.of("b", "d"), List.of("a"), List.of("c"));
            assertThat(releases("web-0")).as("keys in the order they were released, none twice").containsExactly("p_5", "p_0", "p_-1");
        }
        pods.delete("web-0");
        Eventually.until("the ConfigMap goes with its Pod", () -> pods.map("web-0").isEmpty());
    }

    /** Groups of containers in the order in which the node told of them running. */
    private List<List<String>> startsOf(String pod) {
        List<List<String>> starts = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (JsonNode line : cluster.auditLines()) {
            if (line.at("/objectRef/namespace").asString("").equals(pods.namespace()) && line.at("/objectRef/name").asString("").equals(pod)
                    && line.at("/objectRef/subresource").asString("").equals("status")) {
                List<String> fresh = StreamSupport.stream(line.at("/responseObject/status/containerStatuses").spliterator(), false)
                        .filter(s -> s.at("/state/running").isObject()).map(s -> s.path("name").asString()).filter(n -> !known.contains(n))
                        .toList();
                known.addAll(fresh);
                if (!fresh.isEmpty()) {
                    starts.add(fresh);
                }
            }
        }
        return starts;
    }

    private List<String> releases(String pod) {
        return cluster.auditLines().stream()
                .filter(l -> l.at("/objectRef/resource").asString("").equals("configmaps")
                        && l.at("/objectRef/namespace").asString("").equals(pods.namespace())
                        && l.at("/responseObject/metadata/name").asString("").equals(pod + "-barrier"))
                .flatMap(l -> l.at("/requestObject/data").propertyNames().stream()).toList();
    }

    /** Trap 1: none of these forms may stop the controller, and other Pods go on. */
    @Test
    void barriersOfAnyFormDoNoHarm() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            pods.create("odd", List.of(
                    container("odd", "plain").addToEnv(new EnvVarBuilder().withName(StartingPods.BARRIER).withValue("x").build()),
                    container("odd", "none").addToEnv(new EnvVarBuilder().withName(StartingPods.BARRIER).build()),
                    container("odd", "field").addToEnv(new EnvVarBuilder().withName(StartingPods.BARRIER).withNewValueFrom()
                            .withNewFieldRef().withFieldPath("metadata.name").endFieldRef().endValueFrom().build()),
                    container("odd", "resource").addToEnv(new EnvVarBuilder().withName(StartingPods.BARRIER).withNewValueFrom()
                            .withNewResourceFieldRef().withResource("limits.cpu").endResourceFieldRef().endValueFrom().build()),
                    container("odd", "short", "p"), container("odd", "word", "p_abc")), _ -> {
                    });
            pods.create("mixed", List.of(
                    container("mixed", "first", "p_1").withEnv(new EnvVarBuilder().withName(StartingPods.BARRIER).withValue("p_9").build(),
                            barrier("mixed", "p_1")),
                    container("mixed", "second", "p_0")), _ -> {
                    });
            pods.ordered("good", "first p_1", "second p_0");

            pods.await("good", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            pods.await("mixed", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            assertThat(startsOf("mixed")).containsExactly(List.of("first"), List.of("second"));
            Pod odd = pods.await("odd", "containers without a usable barrier run", p -> running(p).size() == 4);
            assertThat(pods.map("odd")).isEmpty();
            assertThat(isCompleted(odd)).isFalse();
        }
    }

    /** Trap 2: a predecessor's ConfigMap has all keys already. (Its owner lives here, so that nobody else collects it before we do.) */
    @Test
    void aPredecessorsConfigMapOpensNothing() throws Exception {
        Pod predecessor = pods.create("predecessor", List.of(container("predecessor", "app")), _ -> {
        });
        ConfigMap old = pods.putMap("web-0", Optional.of(predecessor), "p_0", "p_-1");
        try (Starting starting = new Starting(cluster, Role.FOLLOWER)) {
            // Its Pod cannot be pulled: the second container must not start, however long that takes.
            pods.ordered("web-0", "a=a:never-ready p_0", "b p_-1");
            starting.leads.set(true);
            ConfigMap map = Eventually.until("the ConfigMap is replaced", () -> pods.map("web-0").orElseThrow(),
                    m -> !m.getMetadata().getUid().equals(old.getMetadata().getUid()));
            assertThat(map.getMetadata().getOwnerReferences()).extracting(o -> o.getUid())
                    .containsExactly(pods.pod("web-0").getMetadata().getUid());
            assertThat(map.getData()).isEqualTo(Map.of("p_0", "true"));
            assertThat(isCompleted(pods.pod("web-0"))).isFalse();

            pods.setImage("web-0", "a", "a:1");
            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            assertThat(pods.data("web-0")).isEqualTo(Map.of("p_0", "true", "p_-1", "true"));
        }
    }

    /** Trap 3: the smallest key is there, the others are not. */
    @Test
    void isCompletedOnlyWhenEveryKeyIsThere() throws Exception {
        try (Starting starting = new Starting(cluster, Role.FOLLOWER)) {
            Pod pod = pods.ordered("web-0", "a p_1", "b p_0");
            pods.putMap("web-0", Optional.of(pod), "p_0");
            starting.leads.set(true);

            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            assertThat(pods.data("web-0")).isEqualTo(Map.of("p_1", "true", "p_0", "true"));
        }
    }

    /** Trap 5: deleted by hand after completion, then a container starts again. */
    @Test
    void aLostConfigMapComesBackWithAllKeys() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            Pod pod = pods.ordered("web-0", "a p_1", "b p_0");
            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            users.resource(pods.map("web-0").orElseThrow()).delete();
            pods.setImage("web-0", "b", "b:2");

            pods.await("web-0", "the new image runs", p -> isReady(p) && p.getStatus().getContainerStatuses().stream()
                    .anyMatch(s -> s.getImage().equals("b:2")));
            ConfigMap map = pods.map("web-0").orElseThrow();
            assertThat(map.getData()).isEqualTo(Map.of("p_1", "true", "p_0", "true"));
            assertThat(map.getMetadata().getOwnerReferences()).extracting(o -> o.getUid()).containsExactly(pod.getMetadata().getUid());
        }
    }

    /** A key or the whole ConfigMap that somebody removes in the middle comes back as well. */
    @Test
    void aLostConfigMapComesBackInTheMiddleToo() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            pods.ordered("web-0", "a p_2", "b=b:never-ready p_1", "c p_0");
            pods.await("web-0", "the second is tried", p -> waits(p, "b", "ImagePullBackOff"));
            Eventually.until("it is released", () -> pods.data("web-0").keySet().contains("p_1"));
            users.resource(pods.map("web-0").orElseThrow()).delete();
            pods.setImage("web-0", "b", "b:1");

            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            assertThat(pods.data("web-0")).isEqualTo(Map.of("p_2", "true", "p_1", "true", "p_0", "true"));
        }
    }

    @Test
    void aConfigMapWithoutOwnerIsAdoptedAndFilled() throws Exception {
        try (Starting starting = new Starting(cluster, Role.FOLLOWER)) {
            Pod pod = pods.ordered("web-0", "a p_1", "b p_0");
            ConfigMap found = pods.putMap("web-0", Optional.empty(), "p_1");
            starting.leads.set(true);

            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            ConfigMap map = pods.map("web-0").orElseThrow();
            assertThat(map.getMetadata().getUid()).isEqualTo(found.getMetadata().getUid());
            assertThat(map.getMetadata().getOwnerReferences()).extracting(o -> o.getUid()).containsExactly(pod.getMetadata().getUid());
        }
    }

    @Test
    void anotherInstanceGoesOnInTheMiddle() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            pods.ordered("web-0", "a p_2", "b=b:never-ready p_1", "c p_0");
            pods.await("web-0", "the first runs, the second is tried",
                    p -> waits(p, "b", "ImagePullBackOff") && running(p).equals(List.of("a")));
            assertThat(waits(pods.pod("web-0"), "c", HELD)).isTrue();
        }
        pods.setImage("web-0", "b", "b:1");
        pods.await("web-0", "nobody releases the third", p -> running(p).equals(List.of("a", "b")) && waits(p, "c", HELD));

        try (Starting starting = new Starting(cluster, Role.FOLLOWER)) {
            pods.ordered("later", "a p_1", "b p_0");
            pods.await("later", "the follower does nothing", p -> waits(p, "a", HELD));
            assertThat(pods.map("later")).isEmpty();
            starting.leads.set(true);

            pods.await("web-0", "it is ready and completed", p -> isReady(p) && isCompleted(p));
            pods.await("later", "the new leader looks at all", p -> isReady(p) && isCompleted(p));
            assertThat(startsOf("web-0")).containsExactly(List.of("a"), List.of("b"), List.of("c"));
        }
    }
}

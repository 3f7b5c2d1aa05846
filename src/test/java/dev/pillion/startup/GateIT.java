package dev.pillion.startup;

import static dev.pillion.startup.StartingPods.condition;
import static dev.pillion.startup.StartingPods.container;
import static dev.pillion.startup.StartingPods.isCompleted;
import static dev.pillion.startup.StartingPods.isReady;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;
import dev.pillion.startup.Starting.Role;

/** The readiness gate KruisePodReady, with a kubelet that heeds gates (neighbours.md 2). */
@OnEveryCluster
final class GateIT {
    private static final String GATE = "KruisePodReady";

    private final Cluster cluster;
    private final KubernetesClient users;
    private final Simulators simulators;
    private StartingPods pods;

    GateIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(10, 20), Delay.of(50, 100), Delay.of(10, 20)));
        this.pods = new StartingPods(users, "none");
    }

    @BeforeEach
    void makeNamespace() throws Exception {
        Starting.installCrd(users);
        pods = new StartingPods(users, cluster.newNamespace("gates"));
    }

    @AfterEach
    void close() {
        users.pods().inNamespace(pods.namespace()).withGracePeriod(0).delete();
        simulators.close();
        users.close();
    }

    private void gated(String name, ContainerBuilder... containers) {
        pods.create(name, List.of(containers),
                p -> p.editSpec().addNewReadinessGate().withConditionType(GATE).endReadinessGate().endSpec());
    }

    private void gated(String name) {
        gated(name, container(name, "app"));
    }

    @Test
    void opensTheGateOfAnyPodOnceAndForAll() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            gated("a");
            pods.await("a", "it is ready", StartingPods::isReady);

            PodCondition condition = condition(pods.pod("a"), GATE).orElseThrow();
            assertThat(condition.getStatus()).isEqualTo("True");
            assertThat(condition.getLastTransitionTime()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
            assertThat(condition.getReason()).isNull();
            assertThat(condition.getMessage()).isNull();
            assertThat(writesOfTheGate("a")).isEqualTo(1);
        }
    }

    private long writesOfTheGate(String pod) {
        return cluster.auditLines().stream().filter(l -> l.at("/responseStatus/code").asInt(0) == 200)
                .filter(l -> l.at("/objectRef/namespace").asString("").equals(pods.namespace())
                        && l.at("/objectRef/name").asString("").equals(pod)
                        && l.at("/requestObject/status/conditions/0/type").asString("").equals(GATE))
                .count();
    }

    /** Trap 1 and 2: whatever others wrote stays as it is, also an empty status; so does their message. */
    @Test
    void leavesForeignConditionsAlone() throws Exception {
        String message = "[{\"userAgent\":\"Lifecycle\",\"key\":\"preUpdateHook\"}]";
        try (Starting starting = new Starting(cluster, Role.FOLLOWER)) {
            gated("held");
            pods.patchStatus("held", "{\"status\":{\"conditions\":[{\"type\":\"" + GATE + "\",\"status\":\"False\",\"message\":\""
                    + message.replace("\"", "\\\"") + "\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}");
            gated("odd");
            pods.patchStatus("odd", "{\"status\":{\"conditions\":[{\"type\":\"" + GATE + "\",\"status\":\"\",\"message\":\"no JSON\"}]}}");
            gated("free");
            pods.await("free", "the follower does nothing", p -> condition(p, "ContainersReady").filter(c -> c.getStatus().equals("True"))
                    .isPresent());
            assertThat(condition(pods.pod("free"), GATE)).isEmpty();
            starting.leads.set(true);
            pods.await("free", "it is ready", StartingPods::isReady);
            Eventually.until("metrics tell who holds Pods back", () -> starting.meters.scrape(),
                    m -> m.contains("pillion_startup_unready_gates{writer=\"Lifecycle\"} 1.0"));

            PodCondition held = condition(pods.pod("held"), GATE).orElseThrow();
            assertThat(held.getStatus()).isEqualTo("False");
            assertThat(held.getMessage()).isEqualTo(message);
            assertThat(held.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(condition(pods.pod("odd"), GATE).orElseThrow().getMessage()).isEqualTo("no JSON");
            assertThat(isReady(pods.pod("held"))).isFalse();

            pods.patchStatus("held", "{\"status\":{\"conditions\":[{\"type\":\"" + GATE + "\",\"status\":\"True\",\"message\":\"[]\"}]}}");
            pods.await("held", "its writer lets it go", StartingPods::isReady);
            assertThat(condition(pods.pod("held"), GATE).orElseThrow().getMessage()).isEqualTo("[]");
        }
    }

    @Test
    void aPodMayHaveGateAndBarriers() throws Exception {
        try (Starting _ = new Starting(cluster, Role.LEADER)) {
            gated("both", container("both", "a", "p_1"), container("both", "b", "p_0"));

            pods.await("both", "it is ready and completed", p -> isReady(p) && isCompleted(p));
        }
    }

    /** More Pods than are worked on at a time, all at once, half of them deleted again at once. */
    @Test
    void losesNoPodInACrowd() throws Exception {
        int crowd = 60;
        try (Starting starting = new Starting(cluster, Role.FOLLOWER)) {
            for (int i = 0; i < crowd; i++) {
                gated("p" + i);
            }
            starting.leads.set(true);
            for (int i = 0; i < crowd / 2; i++) {
                pods.delete("p" + i);
            }
            Eventually.until("all others are ready", () -> users.pods().inNamespace(pods.namespace()).list().getItems(),
                    all -> all.size() == crowd - crowd / 2 && all.stream().allMatch(StartingPods::isReady));
            Eventually.until("nothing is left open", () -> starting.meters.scrape(), m -> m.contains("pillion_startup_pods 0.0"));
        }
    }
}

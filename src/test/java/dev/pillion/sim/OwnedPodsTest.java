package dev.pillion.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

import dev.pillion.sim.OwnedPods.Owned;

class OwnedPodsTest {
    private final OwnedPods pods = new OwnedPods();

    private static Pod pod(String name, int version, String created, String ready) {
        return new PodBuilder().withNewMetadata().withNamespace("n").withName(name).withUid("uid-" + name)
                .withResourceVersion(String.valueOf(version)).withCreationTimestamp(created).addNewOwnerReference().withUid("set")
                .withController(true).endOwnerReference().endMetadata().withNewStatus().withPhase("Running").addNewCondition()
                .withType("Ready").withStatus(ready).endCondition().endStatus().build();
    }

    private List<String> names(List<Owned> list) {
        return list.stream().map(Owned::name).toList();
    }

    @Test
    void theAnswerToACreationThatCameAfterTheDeletionDoesNotCount() {
        Pod pod = pod("a", 1, "1", "True");
        pods.remove(pod);
        pods.put(pod);

        assertThat(pods.active("set")).isEmpty();
    }

    @Test
    void anOwnDeletionCountsAtOnceAndOlderEventsDoNotUndoIt() {
        pods.put(pod("a", 5, "1", "True"));
        pods.deleted("set", pods.active("set").getFirst());
        pods.put(pod("a", 4, "1", "True"));

        assertThat(pods.active("set")).isEmpty();
    }

    @Test
    void unreadyThenYoungPodsAreTheLeastWanted() {
        pods.put(pod("old", 1, "2026-01-01", "True"));
        pods.put(pod("young", 2, "2026-01-03", "True"));
        pods.put(pod("broken", 3, "2025-01-01", "False"));

        assertThat(names(pods.leastWanted("set", 2))).containsExactly("broken", "young");
        assertThat(names(pods.leastWanted("set", 9))).hasSize(3);
    }
}

package dev.pillion.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.sim.PodLife.Step;
import dev.pillion.sim.SimPod.Condition;
import dev.pillion.sim.SimPod.Run;
import dev.pillion.sim.SimPod.State;
import dev.pillion.sim.SimPod.Unit;

class PodLifeTest {
    private static final String NOW = "2026-01-01T00:00:00Z";
    private static final String LATER = "2026-01-01T00:01:00Z";

    private final PodLife life = new PodLife(image -> !image.endsWith(":bad"));

    private static SimPod created(String image) {
        return new SimPod("n", "a", "u", 1, "node-1", false, "Pending", "", List.of(new Unit("setup", "setup:1", false, List.of())),
                List.of(new Unit("app", image, true, List.of())), List.of(), Map.of(), Map.of());
    }

    private static SimPod withImage(SimPod pod, String image) {
        return new SimPod(pod.namespace(), pod.name(), pod.uid(), pod.version(), pod.node(), pod.deleting(), pod.phase(), pod.startTime(),
                pod.init(), List.of(new Unit("app", image, true, List.of())), pod.gates(), pod.states(), pod.conditions());
    }

    private SimPod running(String image) {
        return life.after(created(image), Step.START, NOW, _ -> true);
    }

    private static String ready(SimPod pod) {
        return pod.conditions().getOrDefault("Ready", new Condition("", "")).status();
    }

    private static State app(SimPod pod) {
        return pod.states().getOrDefault("app", new State(Run.WAITING, "none", "", "", 0, ""));
    }

    @Test
    void aNewPodIsBoundThenStartedThenLeftAlone() {
        SimPod pod = created("app:1");
        SimPod unbound = new SimPod("n", "a", "u", 1, "", false, "Pending", "", pod.init(), pod.containers(), List.of(), Map.of(),
                Map.of());

        assertThat(life.next(unbound)).contains(Step.BIND);
        assertThat(life.next(pod)).contains(Step.START);
        SimPod running = running("app:1");
        assertThat(running.phase()).isEqualTo("Running");
        assertThat(ready(running)).isEqualTo("True");
        assertThat(running.states().get("setup"))
                .isEqualTo(new State(Run.ENDED, "Completed", "setup:1", PodLife.imageId("setup:1"), 0, ""));
        assertThat(life.next(running)).isEmpty();
    }

    @Test
    void aChangedImageStopsTheContainerThenStartsTheNewOne() {
        SimPod changed = withImage(running("app:1"), "app:2");

        assertThat(life.next(changed)).contains(Step.STOP);
        SimPod stopped = life.after(changed, Step.STOP, LATER, _ -> true);
        assertThat(ready(stopped)).isEqualTo("False");
        assertThat(app(stopped).image()).isEqualTo("app:1");
        assertThat(app(stopped).restarts()).isZero();

        assertThat(life.next(stopped)).contains(Step.RESTART);
        SimPod restarted = life.after(stopped, Step.RESTART, LATER, _ -> true);
        assertThat(app(restarted)).isEqualTo(new State(Run.RUNNING, "", "app:2", PodLife.imageId("app:2"), 1, LATER));
        assertThat(ready(restarted)).isEqualTo("True");
        assertThat(life.next(restarted)).isEmpty();
    }

    @Test
    void anImageThatCannotBePulledWaitsUntilItIsCorrected() {
        SimPod stopped = life.after(withImage(running("app:1"), "app:bad"), Step.STOP, NOW, _ -> true);
        SimPod waiting = life.after(stopped, Step.RESTART, NOW, _ -> true);

        assertThat(app(waiting)).isEqualTo(new State(Run.WAITING, PodLife.PULL, "app:1", PodLife.imageId("app:1"), 0, ""));
        assertThat(waiting.phase()).isEqualTo("Running");
        assertThat(life.next(waiting)).isEmpty();

        SimPod corrected = withImage(waiting, "app:2");
        assertThat(life.next(corrected)).contains(Step.RESTART);
        assertThat(app(life.after(corrected, Step.RESTART, LATER, _ -> true)).run()).isEqualTo(Run.RUNNING);
    }

    @Test
    void aPodWithABadImageFromTheStartStaysPending() {
        SimPod pod = running("app:bad");

        assertThat(pod.phase()).isEqualTo("Pending");
        assertThat(ready(pod)).isEqualTo("False");
        assertThat(life.next(pod)).isEmpty();
    }

    @Test
    void aContainerWaitsForTheKeyOfItsEnvAndTheOthersDoNot() {
        SimPod.ConfigKey key = new SimPod.ConfigKey("a-barrier", "p_0");
        SimPod pod = new SimPod("n", "a", "u", 1, "node-1", false, "Pending", "", List.of(),
                List.of(new Unit("first", "first:1", true, List.of()), new Unit("app", "app:1", true, List.of(key))), List.of(), Map.of(),
                Map.of());
        assertThat(PodLife.needs(pod)).containsExactly(key);

        SimPod held = life.after(pod, Step.START, NOW, _ -> false);
        assertThat(app(held)).isEqualTo(new State(Run.WAITING, "CreateContainerConfigError", "app:1", "", 0, ""));
        assertThat(held.states().get("first")).isEqualTo(new State(Run.RUNNING, "", "first:1", PodLife.imageId("first:1"), 0, NOW));
        assertThat(ready(held)).isEqualTo("False");
        assertThat(life.next(held)).contains(Step.RESTART);
        assertThat(PodLife.changes(held, life.after(held, Step.RESTART, LATER, _ -> false))).isFalse();

        SimPod released = life.after(held, Step.RESTART, LATER, key::equals);
        assertThat(app(released)).isEqualTo(new State(Run.RUNNING, "", "app:1", PodLife.imageId("app:1"), 0, LATER));
        assertThat(ready(released)).isEqualTo("True");
        assertThat(PodLife.needs(released)).isEmpty();
    }

    @Test
    void aClosedReadinessGateKeepsThePodUnreadyUntilItOpens() {
        SimPod pod = created("app:1");
        SimPod gated = new SimPod("n", "a", "u", 1, "node-1", false, "Pending", "", List.of(), pod.containers(), List.of("gate"), Map.of(),
                Map.of());
        SimPod running = life.after(gated, Step.START, NOW, _ -> true);
        assertThat(ready(running)).isEqualTo("False");
        assertThat(life.next(running)).isEmpty();

        Map<String, Condition> open = new java.util.HashMap<>(running.conditions());
        open.put("gate", new Condition("True", NOW));
        SimPod opened = new SimPod("n", "a", "u", 2, "node-1", false, "Running", NOW, List.of(), pod.containers(), List.of("gate"),
                running.states(), open);
        Optional<Step> step = life.next(opened);
        assertThat(step).isPresent();
        assertThat(ready(life.after(opened, step.orElseThrow(), LATER, _ -> true))).isEqualTo("True");
    }

    @Test
    void deletedPodsAreRemovedAndFinishedOnesLeftAlone() {
        SimPod pod = running("app:1");
        SimPod deleted = new SimPod("n", "a", "u", 2, "node-1", true, "Running", NOW, pod.init(), pod.containers(), List.of(), pod.states(),
                pod.conditions());
        SimPod finished = new SimPod("n", "a", "u", 2, "", false, "Succeeded", NOW, pod.init(), pod.containers(), List.of(), pod.states(),
                pod.conditions());

        assertThat(life.next(deleted)).contains(Step.REMOVE);
        assertThat(life.next(finished)).isEmpty();
    }

    @Test
    void imageIdsKeepAGivenDigestAndDifferByTag() {
        assertThat(PodLife.imageId("reg:5000/app:1@sha256:abc")).isEqualTo("reg:5000/app@sha256:abc");
        assertThat(PodLife.imageId("reg:5000/app:1")).startsWith("reg:5000/app@sha256:").isNotEqualTo(PodLife.imageId("reg:5000/app:2"));
    }
}

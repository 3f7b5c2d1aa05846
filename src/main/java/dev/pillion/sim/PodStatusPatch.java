package dev.pillion.sim;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;

import dev.pillion.sim.SimPod.Run;
import dev.pillion.sim.SimPod.State;
import dev.pillion.sim.SimPod.Unit;

/** The status of a Pod as a strategic merge patch, guarded by the uid; it names only the conditions a node owns. */
final class PodStatusPatch {
    private PodStatusPatch() {
    }

    static Pod of(SimPod pod) {
        return new PodBuilder().withNewMetadata().withUid(pod.uid()).endMetadata().withNewStatus().withPhase(pod.phase())
                .withStartTime(pod.startTime()).withHostIP("127.0.0.1").withPodIP(address(pod.uid())).addNewPodIP(address(pod.uid()))
                .withConditions(pod.conditions().entrySet().stream().map(e -> condition(e.getKey(), e.getValue())).toList())
                .withInitContainerStatuses(statuses(pod, pod.init())).withContainerStatuses(statuses(pod, pod.containers())).endStatus()
                .build();
    }

    private static PodCondition condition(String type, SimPod.Condition condition) {
        return new PodConditionBuilder().withType(type).withStatus(condition.status()).withLastTransitionTime(condition.since()).build();
    }

    private static List<ContainerStatus> statuses(SimPod pod, List<Unit> units) {
        return units.stream().filter(u -> pod.states().containsKey(u.name())).map(u -> status(pod, u, pod.states().get(u.name()))).toList();
    }

    private static ContainerStatus status(SimPod pod, Unit unit, @Nullable State state) {
        if (state == null) {
            throw new IllegalStateException("no state of " + unit.name());
        }
        boolean running = state.run() == Run.RUNNING;
        String id = "containerd://" + PodLife.sha256(pod.uid() + unit.name() + state.restarts());
        var status = new ContainerStatusBuilder().withName(unit.name()).withImage(state.image()).withImageID(state.imageId())
                .withRestartCount(state.restarts()).withStarted(running)
                .withReady(running || (!unit.keepsRunning() && state.reason().equals(PodLife.DONE)));
        switch (state.run()) {
            case RUNNING -> status.withContainerID(id).withNewState().withNewRunning(state.since()).endState();
            case ENDED -> status.withContainerID(id).withNewState().withNewTerminated().withReason(state.reason()).withExitCode(0)
                    .endTerminated().endState();
            case WAITING -> status.withNewState().withNewWaiting(null, state.reason()).endState();
        }
        return status.build();
    }

    /** An address of the private range, the same for the same Pod. */
    private static String address(String uid) {
        int hash = uid.hashCode();
        return "10." + (hash >>> 16 & 0xff) + "." + (hash >>> 8 & 0xff) + "." + (1 + (hash & 0x7f));
    }
}

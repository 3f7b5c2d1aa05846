package dev.pillion.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;

/**
 * What the kubelet needs of a Pod, about 2 KB instead of the model's 34.
 *
 * @param version resourceVersion as a number, to tell newer from older
 * @param states of init and regular containers, by name
 * @param conditions status of each condition, by type
 */
record SimPod(String namespace, String name, String uid, long version, String node, boolean deleting, String phase, String startTime,
        List<Unit> init, List<Unit> containers, List<String> gates, Map<String, State> states, Map<String, Condition> conditions) {

    /** A container of the spec; keepsRunning is false for plain init containers. needs: what it cannot start without. */
    record Unit(String name, String image, boolean keepsRunning, List<ConfigKey> needs) {
        Unit {
            needs = List.copyOf(needs);
        }
    }

    /** A key of a ConfigMap in the Pod's namespace that an env takes its value from. */
    record ConfigKey(String configMap, String key) {
    }

    /** How a container is: running, ended (a finished init container, or one stopped for its new image), or waiting for image or settings. */
    enum Run {
        RUNNING, ENDED, WAITING
    }

    /** since: start of the container that runs, "" for others; reason of waiting or ending. */
    record State(Run run, String reason, String image, String imageId, int restarts, String since) {
    }

    record Condition(String status, String since) {
    }

    SimPod {
        init = List.copyOf(init);
        containers = List.copyOf(containers);
        gates = List.copyOf(gates);
        states = Map.copyOf(states);
        conditions = Map.copyOf(conditions);
    }

    static SimPod of(Pod pod) {
        PodSpec spec = pod.getSpec() == null ? new PodSpec() : pod.getSpec();
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        List<Unit> init = new ArrayList<>();
        for (Container c : spec.getInitContainers()) {
            init.add(new Unit(c.getName(), text(c.getImage()), "Always".equals(c.getRestartPolicy()), needs(c)));
        }
        List<Unit> containers = new ArrayList<>();
        for (Container c : spec.getContainers()) {
            containers.add(new Unit(c.getName(), text(c.getImage()), true, needs(c)));
        }
        Map<String, State> states = new LinkedHashMap<>();
        status.getInitContainerStatuses().forEach(s -> states.put(s.getName(), state(s)));
        status.getContainerStatuses().forEach(s -> states.put(s.getName(), state(s)));
        Map<String, Condition> conditions = new LinkedHashMap<>();
        status.getConditions()
                .forEach(c -> conditions.put(c.getType(), new Condition(text(c.getStatus()), text(c.getLastTransitionTime()))));
        return new SimPod(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), pod.getMetadata().getUid(),
                Long.parseUnsignedLong(pod.getMetadata().getResourceVersion()), text(spec.getNodeName()),
                pod.getMetadata().getDeletionTimestamp() != null, text(status.getPhase()), text(status.getStartTime()), init, containers,
                spec.getReadinessGates().stream().map(g -> g.getConditionType()).toList(), states, conditions);
    }

    private static List<ConfigKey> needs(Container container) {
        return container.getEnv().stream().filter(e -> e.getValueFrom() != null).map(e -> e.getValueFrom().getConfigMapKeyRef())
                .filter(r -> r != null && !Boolean.TRUE.equals(r.getOptional()))
                .map(r -> new ConfigKey(text(r.getName()), text(r.getKey()))).toList();
    }

    private static State state(ContainerStatus status) {
        ContainerState state = status.getState() == null ? new ContainerState() : status.getState();
        if (state.getRunning() != null) {
            return new State(Run.RUNNING, "", text(status.getImage()), text(status.getImageID()), count(status),
                    text(state.getRunning().getStartedAt()));
        }
        Run run = state.getTerminated() != null ? Run.ENDED : Run.WAITING;
        String reason = state.getTerminated() != null
                ? state.getTerminated().getReason()
                : state.getWaiting() != null ? state.getWaiting().getReason() : "";
        return new State(run, text(reason), text(status.getImage()), text(status.getImageID()), count(status), "");
    }

    private static int count(ContainerStatus status) {
        return status.getRestartCount() == null ? 0 : status.getRestartCount();
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}

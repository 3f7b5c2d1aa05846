package dev.pillion.sandbox;

import java.time.Instant;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The columns of Pods: which word stands for the state of many containers, and how often they were restarted. */
final class PodCells {
    private PodCells() {
    }

    static List<Column> columns() {
        return List.of(Column.named(), Column.text("Ready", PodCells::ready), Column.text("Status", PodCells::status),
                new Column("Restarts", "string", "", "Restarts", 0, (pod, now) -> Column.string(restarts(pod, now))), Column.age(),
                Column.text("IP", pod -> Column.orElse(pod, "<none>", "status", "podIP")).wide(),
                Column.text("Node", pod -> Column.orElse(pod, "<none>", "spec", "nodeName")).wide(),
                Column.text("Nominated Node", pod -> Column.orElse(pod, "<none>", "status", "nominatedNodeName")).wide(),
                Column.text("Readiness Gates", PodCells::gates).wide());
    }

    static String ready(JsonNode pod) {
        int total = pod.at("/spec/containers").size();
        int ready = 0;
        for (JsonNode status : pod.at("/status/initContainerStatuses")) {
            if (isSidecar(pod, Trees.text(status, "name")) && status.path("started").booleanValue(false)) {
                ready += status.path("ready").booleanValue(false) ? 1 : 0;
            }
        }
        for (JsonNode container : pod.at("/spec/initContainers")) {
            total += "Always".equals(Trees.text(container, "restartPolicy")) ? 1 : 0;
        }
        for (JsonNode status : pod.at("/status/containerStatuses")) {
            ready += status.path("ready").booleanValue(false) && status.at("/state/running").isObject() ? 1 : 0;
        }
        return ready + "/" + total;
    }

    static String status(JsonNode pod) {
        String reason = Column.orElse(pod, Trees.text(pod, "status", "phase"), "status", "reason");
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (Trees.text(condition, "type").equals("PodScheduled") && Trees.text(condition, "reason").equals("SchedulingGated")) {
                reason = "SchedulingGated";
            }
        }
        String init = initStatus(pod);
        if (!init.isEmpty()) {
            reason = init;
        }
        if (init.isEmpty() || isInitialized(pod)) {
            reason = containerStatus(pod, reason);
        }
        if (!Trees.text(pod, "metadata", "deletionTimestamp").isEmpty()) {
            boolean isLost = Trees.text(pod, "status", "reason").equals("NodeLost");
            boolean isOver = List.of("Succeeded", "Failed").contains(Trees.text(pod, "status", "phase"));
            return isLost ? "Unknown" : isOver ? reason : "Terminating";
        }
        return reason;
    }

    /** The state of the first init container that is not done, or "" when all are. */
    private static String initStatus(JsonNode pod) {
        JsonNode statuses = pod.at("/status/initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            JsonNode status = statuses.get(i);
            JsonNode terminated = status.at("/state/terminated");
            if (terminated.isObject() && Trees.number(terminated.path("exitCode"), 0) == 0) {
                continue;
            }
            if (isSidecar(pod, Trees.text(status, "name")) && status.path("started").booleanValue(false)) {
                continue;
            }
            if (terminated.isObject()) {
                return "Init:" + ended(terminated);
            }
            String waiting = Trees.text(status, "state", "waiting", "reason");
            if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                return "Init:" + waiting;
            }
            return "Init:" + i + "/" + pod.at("/spec/initContainers").size();
        }
        return "";
    }

    private static String containerStatus(JsonNode pod, String otherwise) {
        String reason = otherwise;
        boolean isRunning = false;
        JsonNode statuses = pod.at("/status/containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode status = statuses.get(i);
            String waiting = Trees.text(status, "state", "waiting", "reason");
            JsonNode terminated = status.at("/state/terminated");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (terminated.isObject()) {
                reason = ended(terminated);
            } else if (status.path("ready").booleanValue(false) && status.at("/state/running").isObject()) {
                isRunning = true;
            }
        }
        if (reason.equals("Completed") && isRunning) {
            return isTrue(pod, "Ready") ? "Running" : "NotReady";
        }
        return reason;
    }

    private static String ended(JsonNode terminated) {
        String reason = Trees.text(terminated, "reason");
        long signal = Trees.number(terminated.path("signal"), 0);
        return !reason.isEmpty() ? reason : signal != 0 ? "Signal:" + signal : "ExitCode:" + Trees.number(terminated.path("exitCode"), 0);
    }

    /** "3 (5m ago)": the restarts of all containers and when the last one was. */
    static String restarts(JsonNode pod, Instant now) {
        long count = 0;
        String last = "";
        for (String list : List.of("containerStatuses", "initContainerStatuses")) {
            for (JsonNode status : Trees.at(pod, "status", list) instanceof ArrayNode all ? all : Trees.array()) {
                if (list.startsWith("init") && !isSidecar(pod, Trees.text(status, "name")) && isInitialized(pod)) {
                    continue;
                }
                count += Trees.number(status.path("restartCount"), 0);
                String finished = Trees.text(status, "lastState", "terminated", "finishedAt");
                last = finished.compareTo(last) > 0 ? finished : last;
            }
        }
        return count == 0 || last.isEmpty() ? Long.toString(count) : count + " (" + Ages.since(last, now) + " ago)";
    }

    private static String gates(JsonNode pod) {
        JsonNode gates = pod.at("/spec/readinessGates");
        int open = 0;
        for (JsonNode gate : gates) {
            open += isTrue(pod, Trees.text(gate, "conditionType")) ? 1 : 0;
        }
        return gates.isEmpty() ? "<none>" : open + "/" + gates.size();
    }

    private static boolean isInitialized(JsonNode pod) {
        return isTrue(pod, "Initialized");
    }

    private static boolean isTrue(JsonNode pod, String type) {
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (Trees.text(condition, "type").equals(type)) {
                return "True".equals(Trees.text(condition, "status"));
            }
        }
        return false;
    }

    /** An init container that keeps running beside the others. */
    private static boolean isSidecar(JsonNode pod, String name) {
        for (JsonNode container : pod.at("/spec/initContainers")) {
            if (Trees.text(container, "name").equals(name)) {
                return "Always".equals(Trees.text(container, "restartPolicy"));
            }
        }
        return false;
    }
}

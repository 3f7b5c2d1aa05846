package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes: a new one is tainted as not ready until somebody takes that away; what it offers is what it has. */
final class NodeRules implements TypeRules {

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        Trees.child(object, "spec");
        ObjectNode status = Trees.child(object, "status");
        if (Trees.isAbsent(status.path("allocatable")) && status.path("capacity") instanceof ObjectNode capacity) {
            status.set("allocatable", capacity.deepCopy());
        }
        for (JsonNode condition : status.path("conditions")) {
            PodRules.nullTimes(condition, List.of("lastHeartbeatTime", "lastTransitionTime"));
        }
        ObjectNode endpoint = Trees.child(Trees.child(status, "daemonEndpoints"), "kubeletEndpoint");
        PodDefaults.number(endpoint, "Port", 0);
        ObjectNode info = Trees.child(status, "nodeInfo");
        for (String member : List.of("machineID", "systemUUID", "bootID", "kernelVersion", "osImage", "containerRuntimeVersion",
                "kubeletVersion",
                "kubeProxyVersion", "operatingSystem", "architecture")) {
            if (!info.has(member)) {
                info.put(member, "");
            }
        }
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        ObjectNode spec = Trees.child(object, "spec");
        if (spec.path("taints").valueStream().noneMatch(taint -> Trees.text(taint, "key").equals("node.kubernetes.io/not-ready"))) {
            spec.withArray("taints").addObject().put("key", "node.kubernetes.io/not-ready").put("effect", "NoSchedule");
        }
        applyDefaults(object, "v1");
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        return PlainRules.paths(List.of("spec.unschedulable"));
    }
}

package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes sets and pods in every state that decisions tell apart; all of one seed. */
final class RandomRollout {
    static final List<String> NAMESPACES = List.of("a", "b");
    private static final String SET = "ss";

    private final Random random;
    private long generation;

    RandomRollout(Random random) {
        this.random = random;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** A set with two cold containers, or one cold and one hot. */
    SidecarSet set() {
        ObjectNode root = Json.object();
        ObjectNode metadata = root.putObject("metadata").put("name", SET).put("uid", "uid").put("resourceVersion", "7")
                .put("generation", ++generation);
        if (chance(3)) {
            metadata.put("deletionTimestamp", "2024-01-01T00:00:00Z");
        }
        metadata.putObject("annotations").put(Wire.HASH, one(List.of("h1", "h2", "h3"))).put(Wire.HASH_WITHOUT_IMAGE,
                one(List.of("w1", "w2")));
        ObjectNode spec = root.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", "web");
        if (chance(20)) {
            spec.putObject("namespaceSelector").putObject("matchLabels").put("env", "prod");
        }
        ArrayNode containers = spec.putArray("containers");
        containers.addObject().put("name", "proxy").put("image", one(List.of("proxy:1", "proxy:2")));
        ObjectNode second = containers.addObject().put("name", "mesh").put("image", one(List.of("mesh:1", "mesh:2")));
        if (chance(40)) {
            second.putObject("upgradeStrategy").put("upgradeType", "HotUpgrade").put("hotUpgradeEmptyImage", "empty:1");
        }
        strategy(spec.putObject("updateStrategy"));
        return SidecarSet.of(root);
    }

    private void strategy(ObjectNode strategy) {
        strategy.put("type", chance(5) ? "NotUpdate" : "RollingUpdate").put("paused", chance(5));
        if (chance(20)) {
            strategy.putObject("selector").putObject("matchLabels").put("zone", "z1");
        }
        if (chance(40)) {
            strategy.put("partition", one(List.of("10%", "50%", "33.3%", "100%", "x")));
        } else if (chance(40)) {
            strategy.put("partition", random.nextInt(6));
        }
        if (chance(40)) {
            strategy.put("maxUnavailable", one(List.of("10%", "50%", "100%")));
        } else if (chance(60)) {
            strategy.put("maxUnavailable", random.nextInt(8));
        }
        if (chance(20)) {
            ArrayNode weights = strategy.putObject("priorityStrategy").putArray("weightPriority");
            weights.addObject().put("weight", 50).putObject("matchSelector").putObject("matchLabels").put("zone", "z2");
            weights.addObject().put("weight", 30).putObject("matchSelector").putObject("matchLabels").put("ord", "o-2");
        } else if (chance(20)) {
            strategy.putObject("priorityStrategy").putArray("orderPriority").addObject().put("orderedKey", "ord");
        }
        if (chance(40)) {
            ArrayNode scatter = strategy.putArray("scatterStrategy");
            for (int i = random.nextInt(4); i >= 0; i--) {
                scatter.addObject().put("key", one(List.of("zone", "ord", "none"))).put("value",
                        one(List.of("*", "z1", "z2", "", "o-1", "*")));
            }
        }
    }

    /** A pod in a random state. Its uid is new, its resourceVersion is left to the caller. */
    ObjectNode pod(String namespace, String name, String uid) {
        ObjectNode pod = Json.object();
        pod.putObject("metadata").put("namespace", namespace).put("name", name).put("uid", uid).put("creationTimestamp", time())
                .putObject("annotations").put(Wire.INJECTED_LIST, "other," + SET);
        pod.putObject("spec");
        pod.putObject("status");
        mutate(pod);
        return pod;
    }

    private String time() {
        return "2024-01-0" + (1 + random.nextInt(4)) + "T00:00:00Z";
    }

    /** Puts the pod into another random state. */
    void mutate(ObjectNode pod) {
        ObjectNode metadata = (ObjectNode) pod.get("metadata");
        ObjectNode labels = metadata.putObject("labels").put("app", chance(95) ? "web" : "other");
        if (chance(80)) {
            labels.put("zone", one(List.of("z1", "z2", "z3", "")));
        }
        if (chance(60)) {
            labels.put("ord", "o-" + random.nextInt(12));
        }
        if (chance(3)) {
            metadata.put("deletionTimestamp", time());
        }
        annotations((ObjectNode) metadata.get("annotations"));
        ObjectNode spec = ((ObjectNode) pod.get("spec")).put("nodeName", chance(90) ? "n" : "");
        ArrayNode containers = spec.putArray("containers");
        ObjectNode status = ((ObjectNode) pod.get("status")).put("phase",
                chance(90) ? "Running" : one(List.of("Pending", "Failed", "Unknown")));
        ArrayNode statuses = status.putArray("containerStatuses");
        for (String name : new ArrayList<>(List.of("app", "proxy", "mesh", "mesh-1", "mesh-2"))) {
            if (chance(97)) {
                String image = name.startsWith("mesh") ? one(List.of("mesh:1", "mesh:2", "empty:1")) : name + ":" + (1 + random.nextInt(2));
                containers.addObject().put("name", name).put("image", image);
                statuses.addObject().put("name", name).put("image", chance(70) ? image : "docker.io/library/" + image)
                        .put("imageID", one(List.of("id1", "id2"))).put("ready", chance(85)).put("restartCount", random.nextInt(3));
            }
        }
        ArrayNode conditions = status.putArray("conditions");
        conditions.addObject().put("type", "Ready").put("status", chance(75) ? "True" : "False").put("lastTransitionTime", time());
        if (chance(30)) {
            conditions.addObject().put("type", Wire.UPGRADABLE_CONDITION).put("status", "False").put("message",
                    one(List.of("{\"ss\":false}", "{\"ss\":true,\"x\":false}", "no json", "")));
        }
    }

    private void annotations(ObjectNode annotations) {
        annotations.put(Wire.HASH, chance(90)
                ? "{\"ss\":{\"hash\":\"" + one(List.of("h1", "h2", "h3")) + "\",\"controllerRevision\":\"r"
                        + random.nextInt(3) + "\"}}"
                : one(List.of("null", "{\"ss\":\"h1\"}", "x")));
        annotations.put(Wire.HASH_WITHOUT_IMAGE, "{\"ss\":{\"hash\":\"" + one(List.of("w1", "w1", "w1", "w2")) + "\"}}");
        annotations.put(Wire.WORKING_HOT_UPGRADE, one(List.of("{\"mesh\":\"mesh-1\"}", "{\"mesh\":\"mesh-2\"}")));
        annotations.put(Wire.VERSION_PREFIX + "mesh-1", one(List.of("0", "5"))).put(Wire.VERSION_PREFIX + "mesh-2", one(List.of("0", "5")));
        annotations.remove(Wire.IN_PLACE_STATE);
        if (chance(60)) {
            annotations.put(Wire.IN_PLACE_STATE, one(List.of("null", "{\"ss\":null}", "5", "{\"ss\":{\"lastContainerStatuses\":"
                    + "{\"proxy\":{\"imageID\":\"id1\"},\"mesh-1\":{\"imageID\":\"id2\"}}}}")));
        }
    }
}

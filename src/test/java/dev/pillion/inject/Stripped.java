package dev.pillion.inject;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods without everything that injection may add or change, and comparison by containment. */
final class Stripped {
    private static final List<String> LISTS = List.of("containers", "initContainers", "volumes", "imagePullSecrets", "readinessGates");

    private Stripped() {
    }

    /** @param ours names of containers that belong to sets */
    static ObjectNode of(JsonNode pod, Set<String> ours) {
        ObjectNode copy = (ObjectNode) pod.deepCopy();
        ObjectNode spec = (ObjectNode) copy.path("spec");
        for (String list : List.of("containers", "initContainers")) {
            drop(spec, list, c -> ours.contains(Parts.name(c)));
        }
        for (JsonNode container : spec.path("containers")) {
            dropBarrier((ObjectNode) container);
        }
        drop(spec, "volumes", v -> Parts.name(v).startsWith("set-"));
        drop(spec, "imagePullSecrets", s -> Parts.name(s).startsWith("set-"));
        once(spec);
        drop(spec, "readinessGates", g -> Json.text(g, "conditionType").equals("KruisePodReady"));
        LISTS.forEach(list -> dropEmpty(spec, list));
        ObjectNode metadata = (ObjectNode) copy.path("metadata");
        if (metadata.has("generateName")) {
            metadata.remove("name");
        }
        if (metadata.path("annotations") instanceof ObjectNode annotations) {
            annotations.propertyNames().stream().filter(Stripped::isPatched).toList().forEach(annotations::remove);
        }
        dropEmpty(metadata, "annotations");
        return copy;
    }

    static JsonNode withoutBarrier(JsonNode container) {
        ObjectNode copy = (ObjectNode) container.deepCopy();
        dropBarrier(copy);
        return copy;
    }

    private static void dropBarrier(ObjectNode container) {
        drop(container, "env", e -> Parts.name(e).equals("KRUISE_CONTAINER_BARRIER"));
        dropEmpty(container, "env");
    }

    private static boolean isPatched(String key) {
        return (key.contains("kruise.io/") && !key.endsWith("container-launch-priority")) || key.equals("main") || key.equals("conf")
                || key.matches("k[0-9]");
    }

    /** Secrets that repeat an earlier name go when something is injected. */
    private static void once(ObjectNode spec) {
        if (spec.path("imagePullSecrets") instanceof ArrayNode secrets) {
            ArrayNode kept = Json.NODES.arrayNode();
            secrets.valueStream().filter(s -> kept.valueStream().noneMatch(k -> Parts.name(k).equals(Parts.name(s)))).forEach(kept::add);
            spec.set("imagePullSecrets", kept);
        }
    }

    private static void drop(ObjectNode parent, String list, Predicate<JsonNode> ours) {
        if (parent.path(list) instanceof ArrayNode array) {
            ArrayNode kept = Json.NODES.arrayNode();
            array.valueStream().filter(ours.negate()).forEach(kept::add);
            parent.set(list, kept);
        }
    }

    private static void dropEmpty(ObjectNode parent, String member) {
        if (parent.path(member).isNull() || parent.path(member).isEmpty()) {
            parent.remove(member);
        }
    }

    /** Whether every member and, in this order, every element of the wanted value is there; other things may be too. */
    static boolean contains(JsonNode existing, JsonNode wanted) {
        if (wanted.isObject()) {
            for (Map.Entry<String, JsonNode> member : wanted.properties()) {
                if (!contains(existing.path(member.getKey()), member.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (!wanted.isArray()) {
            return existing.equals(wanted);
        }
        int next = 0;
        for (JsonNode element : existing) {
            if (next < wanted.size() && contains(element, wanted.path(next))) {
                next++;
            }
        }
        return next == wanted.size();
    }
}

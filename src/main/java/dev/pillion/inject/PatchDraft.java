package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.Json;
import dev.pillion.api.PatchOp;
import dev.pillion.api.TypedCover;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects JSON Patch operations on the submitted pod (FR-03): insert, append, set; an element is replaced only where a sidecar takes
 * its place, and never moved. Parent objects are created where they are absent.
 */
final class PatchDraft {
    private final RawPod pod;
    private final List<PatchOp> ops = new ArrayList<>();
    private final Set<String> parents = new HashSet<>();

    PatchDraft(RawPod pod) {
        this.pod = pod;
    }

    List<PatchOp> ops() {
        return ops;
    }

    void setName(String name) {
        parent("metadata");
        ops.add(PatchOp.add("/metadata/name", Json.NODES.stringNode(name)));
    }

    /**
     * Sets the annotations that differ from the submitted ones; none is ever removed.
     *
     * @param ready those of them that are known in the form in which they go out
     */
    void annotations(Map<String, String> wanted, Map<String, ? extends JsonNode> ready) {
        Map<String, JsonNode> changed = new LinkedHashMap<>();
        wanted.forEach((key, value) -> {
            if (!value.equals(pod.annotations().get(key))) {
                JsonNode known = ready.get(key);
                changed.put(key, known == null ? Json.NODES.stringNode(value) : known);
            }
        });
        if (changed.isEmpty()) {
            return;
        }
        parent("metadata");
        if (pod.metadata().path("annotations").isObject()) {
            changed.forEach((key, value) -> ops
                    .add(PatchOp.add("/metadata/annotations/" + PatchOp.escape(key), value)));
        } else {
            ObjectNode all = Json.object();
            changed.forEach(all::set);
            ops.add(PatchOp.add("/metadata/annotations", all));
        }
    }

    /** Appends to a list of the spec. */
    void append(String member, List<? extends JsonNode> items) {
        if (items.isEmpty()) {
            return;
        }
        parent("spec");
        if (pod.spec().path(member).isArray()) {
            items.forEach(item -> ops.add(PatchOp.add("/spec/" + member + "/-", item)));
        } else {
            ArrayNode list = Json.NODES.arrayNode();
            items.forEach(list::add);
            ops.add(PatchOp.add("/spec/" + member, list));
        }
    }

    /** Removes elements of a list of the spec, by their indexes in ascending order; to be called before anything is added to it. */
    void remove(String member, List<Integer> indexes) {
        indexes.reversed().forEach(i -> ops.add(PatchOp.remove("/spec/" + member + "/" + i)));
    }

    /** Brings a list of containers to the given slots. */
    void containers(String member, List<Slot> slots, Optional<LaunchPriority.Barriers> barriers, InjectOptions.Repeat repeat) {
        List<ObjectNode> front = new ArrayList<>();
        List<ObjectNode> back = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            int at = i;
            Optional<ObjectNode> barrier = barriers.map(b -> b.env().get(at));
            switch (slots.get(i)) {
                case Slot.Own(int index, JsonNode container) -> barrier
                        .ifPresent(b -> barrier("/spec/" + member + "/" + index, container, b, repeat));
                case Slot.Replaced(_, int index, JsonNode before, ObjectNode container) -> {
                    ObjectNode wanted = withBarrier(container, barrier, repeat);
                    if (!wanted.equals(before)) {
                        ops.add(PatchOp.replace("/spec/" + member + "/" + index, wanted));
                    }
                }
                case Slot.Added(_, Built.Place place, ObjectNode container) -> (place == Built.Place.BEFORE ? front : back)
                        .add(withBarrier(container, barrier, repeat));
            }
        }
        if (!pod.spec().path(member).isArray()) {
            front.addAll(back);
            append(member, front);
            return;
        }
        for (int i = 0; i < front.size(); i++) {
            ops.add(PatchOp.add("/spec/" + member + "/" + i, front.get(i)));
        }
        append(member, back);
    }

    private static ObjectNode withBarrier(ObjectNode container, Optional<ObjectNode> barrier, InjectOptions.Repeat repeat) {
        if (barrier.isEmpty()) {
            return container;
        }
        ObjectNode copy = Json.object();
        container.properties().forEach(member -> copy.set(member.getKey(), member.getValue()));
        ArrayNode env = Json.NODES.arrayNode();
        for (JsonNode item : container.path("env")) {
            if (repeat == InjectOptions.Repeat.REWRITE || !isBarrier(item)) {
                env.add(item);
            }
        }
        env.add(barrier.get());
        copy.set("env", env);
        return copy;
    }

    /** A container of the pod gets exactly one barrier, without touching its other env (neighbours.md 1.6, trap 4). */
    private void barrier(String path, JsonNode container, ObjectNode barrier, InjectOptions.Repeat repeat) {
        if (!container.isObject()) {
            // A null element is an empty container for the API server.
            ObjectNode named = Json.object();
            named.putArray("env").add(barrier);
            ops.add(PatchOp.replace(path, named));
            return;
        }
        JsonNode env = container.path("env");
        if (!env.isArray()) {
            ArrayNode list = Json.NODES.arrayNode();
            list.add(barrier);
            ops.add(PatchOp.add(path + "/env", list));
            return;
        }
        if (repeat == InjectOptions.Repeat.KEEP) {
            List<Integer> old = new ArrayList<>();
            for (int i = 0; i < env.size(); i++) {
                if (isBarrier(env.path(i))) {
                    old.add(i);
                }
            }
            if (old.size() == 1 && TypedCover.inPod(env.path(old.getFirst()), barrier, "EnvVar")) {
                return;
            }
            old.reversed().forEach(i -> ops.add(PatchOp.remove(path + "/env/" + i)));
        }
        ops.add(PatchOp.add(path + "/env/-", barrier));
    }

    private static boolean isBarrier(JsonNode env) {
        return Parts.name(env).equals(Wire.LAUNCH_BARRIER);
    }

    private void parent(String member) {
        if (!pod.raw().path(member).isObject() && parents.add(member)) {
            ops.add(PatchOp.add("/" + member, Json.object()));
        }
    }
}

package dev.pillion.rollout;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoJson;
import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.UpgradableCondition;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The condition SidecarSetUpgradable and its message, a JSON object set name -> boolean (rollout.md 8). */
final class UpgradableMessage {
    /** What a set says of a Pod. */
    enum Upgradable {
        YES, NO
    }

    private UpgradableMessage() {
    }

    /** The entries; empty when the message is no JSON object (trap F). */
    static Optional<SortedMap<String, JsonNode>> entries(PodView pod) {
        SortedMap<String, JsonNode> entries = new TreeMap<>(ByteOrder.UTF8);
        String message = pod.upgradable().map(UpgradableCondition::message).orElse("");
        if (message.isEmpty()) {
            return Optional.of(entries);
        }
        Optional<JsonNode> json = Json.tryRead(message);
        if (json.isPresent() && json.get().isNull()) {
            return Optional.of(entries);
        }
        if (json.isEmpty() || !json.get().isObject()) {
            return Optional.empty();
        }
        json.get().properties().forEach(e -> entries.put(e.getKey(), e.getValue()));
        return Optional.of(entries);
    }

    /** Whether the set's entry is this boolean. */
    static boolean says(String set, PodView pod, Upgradable value) {
        String message = pod.upgradable().map(UpgradableCondition::message).orElse("");
        if (message.isEmpty()) {
            return false;
        }
        boolean wanted = value == Upgradable.YES;
        // As we write it ourselves, which is nearly always: no need to parse. Within a JSON text the quotes would be escaped.
        return message.contains("\"" + set + "\":" + wanted) || entries(pod).map(e -> e.get(set))
                .filter(v -> v.isBoolean() && v.booleanValue() == wanted).isPresent();
    }

    /** Whether setting the value changes the condition; an unreadable message does. */
    static boolean changes(String set, PodView pod, Upgradable value) {
        Optional<SortedMap<String, JsonNode>> entries = entries(pod);
        return entries.isEmpty() || next(set, pod, value, entries.get(), _ -> true).isPresent();
    }

    /**
     * The condition after the set says the value; empty when status, reason and message stay.
     *
     * @param keep false for names of sets that are gone (trap G)
     */
    static Optional<ObjectNode> next(String set, PodView pod, Upgradable value, Map<String, JsonNode> entries, Predicate<String> keep) {
        SortedMap<String, JsonNode> says = new TreeMap<>(ByteOrder.UTF8);
        entries.forEach((name, v) -> {
            if (keep.test(name)) {
                says.put(name, v);
            }
        });
        says.put(set, Json.NODES.booleanNode(value == Upgradable.YES));
        boolean refused = says.values().stream().anyMatch(v -> v.isBoolean() && !v.booleanValue());
        ObjectNode object = Json.object();
        says.forEach(object::set);
        ObjectNode condition = Json.object().put("type", Wire.UPGRADABLE_CONDITION).put("status", refused ? "False" : "True")
                .putNull("lastProbeTime").putNull("lastTransitionTime")
                .put("reason", refused ? "UpdateImmutableField" : "AllSidecarsetUpgradable").put("message", GoJson.encode(object));
        Optional<UpgradableCondition> before = pod.upgradable();
        if (before.isPresent() && before.get().status().equals(Json.text(condition, "status"))
                && before.get().reason().equals(Json.text(condition, "reason"))
                && before.get().message().equals(Json.text(condition, "message"))) {
            return Optional.empty();
        }
        return Optional.of(condition);
    }
}

package dev.pillion.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import tools.jackson.databind.JsonNode;

/** spec.updateStrategy (api.md 2.4). Absent members are empty; the type is kept as text, since an unknown one rolls (rollout.md 1). */
public record UpdateStrategy(String type, boolean paused, Optional<LabelSelector> selector, Optional<IntOrString> partition,
        Optional<IntOrString> maxUnavailable, List<WeightTerm> weights, List<String> orderedKeys, List<ScatterTerm> scatter) {

    public record WeightTerm(int weight, LabelSelector selector) {
    }

    public record ScatterTerm(String key, String value) {
    }

    public UpdateStrategy {
        weights = List.copyOf(weights);
        orderedKeys = List.copyOf(orderedKeys);
        scatter = List.copyOf(scatter);
    }

    public boolean isNotUpdate() {
        return type.equals("NotUpdate");
    }

    public static UpdateStrategy of(JsonNode node) {
        List<WeightTerm> weights = new ArrayList<>();
        JsonNode priority = node.path("priorityStrategy");
        for (JsonNode term : priority.path("weightPriority")) {
            weights.add(new WeightTerm(term.path("weight").asInt(0), LabelSelector.of(term.path("matchSelector"))));
        }
        List<String> keys = new ArrayList<>();
        priority.path("orderPriority").forEach(t -> keys.add(Json.text(t, "orderedKey")));
        List<ScatterTerm> scatter = new ArrayList<>();
        node.path("scatterStrategy").forEach(t -> scatter.add(new ScatterTerm(Json.text(t, "key"), Json.text(t, "value"))));
        JsonNode selector = node.path("selector");
        return new UpdateStrategy(Json.text(node, "type"), node.path("paused").asBoolean(false),
                selector.isObject() ? Optional.of(LabelSelector.of(selector)) : Optional.empty(), IntOrString.of(node.path("partition")),
                IntOrString.of(node.path("maxUnavailable")), weights, keys, scatter);
    }
}

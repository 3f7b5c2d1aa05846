package dev.pillion.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * A label selector as written. Whether it is well formed is decided where it is used (match.Selector).
 *
 * @param matchLabels in the order in which they are written, so that every process names the same one of several that are not met
 */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {

    /** One expression. The operator is kept as text, since stored objects may hold odd ones. */
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }
    }

    public LabelSelector {
        matchLabels = Collections.unmodifiableMap(new LinkedHashMap<>(matchLabels));
        matchExpressions = List.copyOf(matchExpressions);
    }

    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    /** Reads the members of a selector object; members of a wrong kind count as absent. */
    public static LabelSelector of(JsonNode object) {
        Map<String, String> labels = new LinkedHashMap<>();
        object.path("matchLabels").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asString("")));
        List<Requirement> requirements = new ArrayList<>();
        for (JsonNode item : object.path("matchExpressions")) {
            List<String> values = new ArrayList<>();
            item.path("values").forEach(v -> values.add(v.asString("")));
            requirements.add(new Requirement(Json.text(item, "key"), Json.text(item, "operator"), values));
        }
        return new LabelSelector(labels, requirements);
    }
}

package dev.pillion.sandbox;

import java.util.Map;

import tools.jackson.databind.JsonNode;

/** A LabelSelector object (matchLabels and matchExpressions) against labels. An empty or absent selector takes everything. */
final class LabelRequirements {
    private LabelRequirements() {
    }

    static boolean match(JsonNode selector, Map<String, String> labels) {
        for (Map.Entry<String, JsonNode> wanted : selector.path("matchLabels").properties()) {
            if (!wanted.getValue().stringValue("").equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            if (!holds(expression, labels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(JsonNode expression, Map<String, String> labels) {
        String value = labels.get(Trees.text(expression, "key"));
        boolean isListed = false;
        for (JsonNode one : expression.path("values")) {
            isListed |= one.stringValue("").equals(value);
        }
        return switch (Trees.text(expression, "operator")) {
            case "In" -> value != null && isListed;
            case "NotIn" -> value == null || !isListed;
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}

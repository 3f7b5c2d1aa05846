package dev.pillion.conformance;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares recorded objects with ours as the vectors' README says: null members, and some empty structs, do not count. */
public final class JsonDiff {
    private static final Set<String> EMPTY_STRUCTS = Set.of("resources", "status", "updateStrategy", "injectionStrategy", "upgradeStrategy",
            "shareVolumePolicy", "state", "lastState");

    private JsonDiff() {
    }

    /** The first difference after normalising both sides, with its path; empty when they are equal. Numbers compare by value. */
    public static Optional<String> first(JsonNode expected, JsonNode actual) {
        return compare(normal(expected), normal(actual), "");
    }

    /** A copy without null members and without the structs that are written even when empty. */
    public static JsonNode normal(JsonNode node) {
        if (node.isArray()) {
            ArrayNode copy = Json.NODES.arrayNode();
            node.forEach(item -> copy.add(normal(item)));
            return copy;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode copy = Json.object();
        node.properties().forEach(e -> {
            JsonNode value = normal(e.getValue());
            boolean emptyStruct = value.isObject() && value.isEmpty() && EMPTY_STRUCTS.contains(e.getKey());
            if (!value.isNull() && !emptyStruct) {
                copy.set(e.getKey(), value);
            }
        });
        return copy;
    }

    /** {@link #first} for the kinds where counters of status that are 0 do not count either. */
    public static Optional<String> firstBesideZeroCounts(JsonNode expected, JsonNode actual) {
        return first(withoutZeros(expected), withoutZeros(actual));
    }

    private static JsonNode withoutZeros(JsonNode object) {
        JsonNode copy = object.deepCopy();
        if (copy.path("status") instanceof ObjectNode status) {
            status.removeIf(v -> v.isNumber() && v.intValue() == 0);
        }
        return copy;
    }

    private static Optional<String> compare(JsonNode expected, JsonNode actual, String path) {
        if (expected.isObject() && actual.isObject()) {
            Set<String> names = new TreeSet<>(expected.propertyNames());
            names.addAll(actual.propertyNames());
            return names.stream().flatMap(n -> compare(expected.path(n), actual.path(n), path + "/" + n).stream()).findFirst();
        }
        if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                Optional<String> difference = compare(expected.path(i), actual.path(i), path + "/" + i);
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return Optional.empty();
        }
        return equalValues(expected, actual)
                ? Optional.empty()
                : Optional.of(path + ": " + shown(actual) + " instead of " + shown(expected));
    }

    private static boolean equalValues(JsonNode expected, JsonNode actual) {
        if (expected.isNumber() && actual.isNumber()) {
            return expected.decimalValue().compareTo(actual.decimalValue()) == 0;
        }
        return expected.equals(actual);
    }

    private static String shown(JsonNode node) {
        String text = node.isMissingNode() ? "nothing" : node.toString();
        return text.length() > 300 ? text.substring(0, 300) + "..." : text;
    }
}

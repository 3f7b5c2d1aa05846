package dev.pillion.explain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.pillion.api.Json;
import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/**
 * What injection adds to the resources of a Pod, as scheduler and quota count them (FR-19):
 * <ol>
 * <li>containers and native sidecars add up, a container without requests counts its limits;
 * <li>an init container that ends counts with the native sidecars before it, and only where that is more than the sum;
 * <li>told is the difference between the Pod after and before, and which new containers set nothing at all: a namespace with a quota
 * refuses those unless a LimitRange gives them defaults.
 * </ol>
 */
public record AddedResources(SortedMap<String, Quantity> requests, SortedMap<String, Quantity> limits, List<String> unset) {

    public AddedResources {
        requests = new TreeMap<>(requests);
        limits = new TreeMap<>(limits);
        unset = List.copyOf(unset);
    }

    public static AddedResources between(JsonNode before, JsonNode after) {
        Set<String> known = new HashSet<>();
        containers(before).forEach(c -> known.add(Json.text(c, "name")));
        List<String> unset = containers(after).stream().filter(c -> !known.contains(Json.text(c, "name")))
                .filter(c -> c.path("resources").path("requests").isEmpty() && c.path("resources").path("limits").isEmpty())
                .map(c -> Json.text(c, "name")).toList();
        return new AddedResources(difference(before, after, "requests"), difference(before, after, "limits"), unset);
    }

    private static List<JsonNode> containers(JsonNode pod) {
        List<JsonNode> all = new ArrayList<>();
        pod.path("spec").path("initContainers").forEach(all::add);
        pod.path("spec").path("containers").forEach(all::add);
        return all;
    }

    private static SortedMap<String, Quantity> difference(JsonNode before, JsonNode after, String kind) {
        SortedMap<String, Quantity> added = new TreeMap<>();
        Map<String, Quantity> less = counted(before, kind);
        counted(after, kind).forEach((resource, amount) -> {
            Quantity more = amount.minus(less.getOrDefault(resource, Quantity.ZERO));
            if (!more.isZero()) {
                added.put(resource, more);
            }
        });
        return added;
    }

    private static Map<String, Quantity> counted(JsonNode pod, String kind) {
        Map<String, Quantity> natives = new TreeMap<>();
        Map<String, Quantity> peak = new TreeMap<>();
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            Map<String, Quantity> own = amounts(container, kind);
            if (Json.text(container, "restartPolicy").equals("Always")) {
                own.forEach((resource, amount) -> natives.merge(resource, amount, Quantity::plus));
                own = Map.of();
            }
            Map<String, Quantity> together = new TreeMap<>(natives);
            own.forEach((resource, amount) -> together.merge(resource, amount, Quantity::plus));
            together.forEach((resource, amount) -> peak.merge(resource, amount, AddedResources::greater));
        }
        Map<String, Quantity> sum = new TreeMap<>(natives);
        for (JsonNode container : pod.path("spec").path("containers")) {
            amounts(container, kind).forEach((resource, amount) -> sum.merge(resource, amount, Quantity::plus));
        }
        peak.forEach((resource, amount) -> sum.merge(resource, amount, AddedResources::greater));
        return sum;
    }

    private static Quantity greater(Quantity a, Quantity b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static Map<String, Quantity> amounts(JsonNode container, String kind) {
        JsonNode resources = container.path("resources");
        Map<String, Quantity> amounts = new TreeMap<>();
        if (kind.equals("requests")) {
            // The server does the same: a request that lacks is the limit.
            amounts.putAll(parsed(resources.path("limits")));
        }
        amounts.putAll(parsed(resources.path(kind)));
        return amounts;
    }

    private static Map<String, Quantity> parsed(JsonNode list) {
        Map<String, Quantity> amounts = new TreeMap<>();
        list.properties().forEach(e -> Quantity.parse(e.getValue().asString("").strip()).ifPresent(q -> amounts.put(e.getKey(), q)));
        return amounts;
    }

    /** One line, such as "requests cpu 50m, memory 32Mi; limits memory 64Mi; nothing set by mesh". */
    public String sentence() {
        List<String> parts = new ArrayList<>();
        parts.add(requests.isEmpty() ? "no requests" : "requests " + text(requests));
        parts.add(limits.isEmpty() ? "no limits" : "limits " + text(limits));
        if (!unset.isEmpty()) {
            parts.add("nothing set by " + String.join(", ", unset));
        }
        return String.join("; ", parts);
    }

    private static String text(SortedMap<String, Quantity> amounts) {
        return amounts.entrySet().stream().map(e -> e.getKey() + " " + e.getValue().canonical()).collect(Collectors.joining(", "));
    }
}

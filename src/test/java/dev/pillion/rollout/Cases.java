package dev.pillion.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the inputs of recorded cases, and brings both sides of a comparison into the form of the vectors' README. */
final class Cases {
    static final Instant NOW = Instant.parse("2031-05-06T07:08:09.5Z");
    private static final Set<String> OPTIONAL_OBJECTS = Set.of("resources", "state", "lastState", "status", "updateStrategy",
            "injectionStrategy", "upgradeStrategy", "shareVolumePolicy");

    private Cases() {
    }

    static SidecarSet set(JsonNode input) {
        return SidecarSet.of((ObjectNode) input.path("sidecarSet"));
    }

    static List<PodView> pods(JsonNode list) {
        List<PodView> pods = new ArrayList<>();
        list.forEach(p -> pods.add(PodViews.of(p)));
        return pods;
    }

    static Map<String, Map<String, String>> namespaces(JsonNode list) {
        Map<String, Map<String, String>> namespaces = new LinkedHashMap<>();
        for (JsonNode item : list) {
            Map<String, String> labels = new LinkedHashMap<>();
            item.path("metadata").path("labels").properties().forEach(e -> labels.put(e.getKey(), e.getValue().stringValue()));
            namespaces.put(item.path("metadata").path("name").stringValue(), labels);
        }
        return namespaces;
    }

    /** Without nulls and empty optional objects; the moment of the run as the recorded text. */
    static JsonNode normal(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = Json.object();
            object.properties().forEach(e -> {
                JsonNode value = normal(e.getValue());
                if (!value.isNull() && !(value.isObject() && value.isEmpty() && OPTIONAL_OBJECTS.contains(e.getKey()))) {
                    copy.set(e.getKey(), value);
                }
            });
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = Json.NODES.arrayNode();
            node.forEach(item -> copy.add(normal(item)));
            return copy;
        }
        return node.isString() ? Json.NODES.stringNode(node.stringValue().replace(GoTime.write(NOW), "<now>")) : node;
    }

    static Optional<String> difference(JsonNode expect, JsonNode result) {
        JsonNode a = normal(expect);
        JsonNode b = Json.read(Json.write(normal(result))); // numbers of one kind
        return a.equals(b) ? Optional.empty() : Optional.of("recorded " + a + ", now " + b);
    }

    /** Some Pod of the input holds the predicate. */
    static Predicate<JsonNode> anyPod(Predicate<PodView> predicate) {
        return input -> pods(input.path("pods")).stream().anyMatch(predicate)
                || (input.has("pod") && predicate.test(PodViews.of(input.path("pod"))));
    }

    static ArrayNode names(List<String> names) {
        ArrayNode array = Json.NODES.arrayNode();
        names.forEach(array::add);
        return array;
    }

    static String name(Decision decision) {
        return decision.pod().key().name();
    }
}

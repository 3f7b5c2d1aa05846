package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.UpdateStrategy;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The orders alone, against the recording (rollout.md 6). No option touches them. */
class SortsConformanceTest {
    @ParameterizedTest
    @ValueSource(strings = {"sorts", "sorts/pillion"})
    void agreesWithTheRecording(String label) {
        new Conformance<JsonNode>(label, SortsConformanceTest::sort, (_, expect, result) -> Cases.difference(expect, result))
                .verify(Vectors.of("sorts"), 0);
    }

    private static JsonNode sort(JsonNode input) {
        ObjectNode set = Json.object();
        ObjectNode strategyNode = set.putObject("spec").putObject("updateStrategy");
        strategyNode.set("priorityStrategy", input.path("priorityStrategy"));
        strategyNode.set("scatterStrategy", input.path("scatterStrategy"));
        SetRules rules = new SetRules(SidecarSet.of(set), RolloutOptions.REFERENCE);
        UpdateStrategy strategy = rules.set().updateStrategy();
        Map<String, PodView> byName = new HashMap<>();
        List<PodView> pods = Cases.pods(input.path("pods"));
        pods.forEach(p -> byName.put(p.key().name(), p));
        List<PodView> order = new ArrayList<>();
        input.path("indexes").forEach(n -> order.add(byName.get(n.stringValue())));
        List<Map<String, String>> labels = pods.stream().map(PodView::labels).toList();
        List<PodView> result = switch (Json.text(input, "sort")) {
            case "default" -> byState(order);
            case "priority" -> byPriority(order, rules, strategy);
            case "scatter" -> Scatter.order(order, strategy.scatter(), labels, PodView::labels);
            case "scatterStar" -> Scatter.order(order, Scatter.expand(strategy.scatter(), labels), labels, PodView::labels);
            default -> {
                List<PodView> sorted = new ArrayList<>(order);
                sorted.sort((a, b) -> UpgradeOrder.of(a, rules.weights(), strategy.orderedKeys())
                        .compareTo(UpgradeOrder.of(b, rules.weights(), strategy.orderedKeys())));
                yield strategy.scatter().isEmpty()
                        ? sorted
                        : Scatter.order(sorted, Scatter.expand(strategy.scatter(), labels), labels, PodView::labels);
            }
        };
        return Json.object().set("order", Cases.names(result.stream().map(p -> p.key().name()).toList()));
    }

    private static List<PodView> byState(List<PodView> pods) {
        List<PodView> sorted = new ArrayList<>(pods);
        Collections.sort(sorted, (a, b) -> UpgradeOrder.of(a, List.of(), List.of()).compareTo(UpgradeOrder.of(b, List.of(), List.of())));
        return sorted;
    }

    private static List<PodView> byPriority(List<PodView> pods, SetRules rules, UpdateStrategy strategy) {
        List<PodView> sorted = new ArrayList<>(pods);
        sorted.sort((a, b) -> UpgradeOrder.comparePriority(UpgradeOrder.of(a, rules.weights(), strategy.orderedKeys()),
                UpgradeOrder.of(b, rules.weights(), strategy.orderedKeys())));
        return sorted;
    }
}

package dev.pillion.podmeta;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.api.PodStartup;
import dev.pillion.api.PodStartup.Barrier;
import dev.pillion.api.PodStartup.Launch;
import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;

/** Builds the PodStartup of a whole Pod. */
final class StartupView {
    private StartupView() {
    }

    static PodStartup of(JsonNode metadata, JsonNode spec, JsonNode status) {
        return PodStartup.of(gate(spec, status), launch(metadata, spec, status));
    }

    private static ReadyGate gate(JsonNode spec, JsonNode status) {
        boolean gated = items(spec.path("readinessGates")).anyMatch(g -> Json.text(g, "conditionType").equals(Wire.READY_GATE));
        JsonNode condition = PodViews.condition(status, Wire.READY_GATE);
        if (!gated || Json.text(condition, "status").equals("True")) {
            return new ReadyGate.Settled();
        }
        return condition.isObject()
                ? new ReadyGate.Closed(Json.text(condition, "lastTransitionTime"), Json.text(condition, "message"))
                : new ReadyGate.Unset();
    }

    private static Optional<Launch> launch(JsonNode metadata, JsonNode spec, JsonNode status) {
        List<Barrier> barriers = new ArrayList<>();
        items(spec.path("containers")).forEach(c -> barrier(c).ifPresent(barriers::add));
        Set<String> unconfigured = new HashSet<>();
        Set<String> ended = new HashSet<>();
        items(status.path("containerStatuses")).forEach(container -> {
            JsonNode state = container.path("state");
            if (Json.text(state.path("waiting"), "reason").equals(Wire.UNCONFIGURED)) {
                unconfigured.add(Json.text(container, "name"));
            }
            if (state.path("terminated").isObject()) {
                ended.add(Json.text(container, "name"));
            }
        });
        return Launch.of(barriers, Json.text(metadata.path("annotations"), Wire.LAUNCH_COMPLETED).equals("true"), unconfigured, ended);
    }

    /** The first usable env counts; of any other form it is as if it were not there (neighbours.md 1.6, trap 1). */
    private static Optional<Barrier> barrier(JsonNode container) {
        return items(container.path("env")).filter(e -> Json.text(e, "name").equals(Wire.LAUNCH_BARRIER))
                .flatMap(e -> Barrier.of(Json.text(container, "name"),
                        Json.text(e.path("valueFrom").path("configMapKeyRef"), "key")).stream())
                .findFirst();
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return list.isArray() ? list.valueStream() : Stream.empty();
    }
}

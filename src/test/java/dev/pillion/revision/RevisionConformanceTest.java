package dev.pillion.revision;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.JsonDiff;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Replays recorded histories: each step registers, labels and truncates on a store in memory. */
final class RevisionConformanceTest {

    @Test
    void agreesWithReferenceOptions() {
        new Conformance<JsonNode>("revision", input -> replay(input, RevisionOptions.REFERENCE), RevisionConformanceTest::difference)
                .verify(Vectors.of("revision"), 0.15);
    }

    @Test
    void agreesWithProductOptions() {
        new Conformance<JsonNode>("revision/pillion", input -> replay(input, RevisionOptions.PILLION), RevisionConformanceTest::difference)
                .verify(Vectors.of("revision"), 0.15);
    }

    private static JsonNode replay(JsonNode input, RevisionOptions options) {
        String namespace = input.path("namespace").stringValue();
        RevisionStore store = new RevisionStore();
        input.path("existing").forEach(store::addExisting);
        ObjectNode result = Json.object();
        ArrayNode steps = result.putArray("steps");
        for (JsonNode step : input.path("steps")) {
            SidecarSet set = SidecarSet.of((ObjectNode) step.path("sidecarSet"));
            steps.add(register(set, step.path("pods"), namespace, store, options));
        }
        return result;
    }

    private static ObjectNode register(SidecarSet set, JsonNode pods, String namespace, RevisionStore store, RevisionOptions options) {
        store.startStep();
        Step step = History.register(set, store.labelled(namespace, set.name()), options);
        while (!(step instanceof Step.Registered)) {
            step = switch (step) {
                case Step.Renumber r -> r.renumbered(store.renumber(namespace, r.revision(), r.number()));
                case Step.Create c -> store.find(namespace, c.wanted().name()).map(c::nameTaken)
                        .orElseGet(() -> c.created(store.create(namespace, c.wanted())));
                case Step.Registered r -> r;
                case Step.Wait _,Step.Terminating _ -> throw new IllegalStateException("no recorded case waits");
            };
        }
        Step.Registered registered = (Step.Registered) step;
        if (registered.customVersion().isPresent()) {
            registered = registered.labelled(store.label(namespace, registered.latest(), registered.customVersion().get()));
        }
        ObjectNode outcome = Json.object();
        outcome.put("latestRevision", registered.latest().name()).put("collisionCount", registered.collisionCount());
        ArrayNode deleted = outcome.putArray("deleted");
        History.truncate(set, registered.history(), used(set.name(), pods)).stream().map(r -> namespace + "/" + r.name()).sorted()
                .forEach(key -> {
                    store.delete(key);
                    deleted.add(key);
                });
        outcome.set("revisions", store.describe(set));
        return outcome;
    }

    private static Set<String> used(String setName, JsonNode pods) {
        Set<String> used = new HashSet<>();
        for (JsonNode pod : pods) {
            String text = Json.text(pod.path("metadata").path("annotations"), Wire.HASH);
            Json.tryRead(text).ifPresent(map -> used.add(Json.text(map.path(setName), "controllerRevision")));
        }
        return used;
    }

    private static Optional<String> difference(JsonNode input, JsonNode expect, JsonNode result) {
        return JsonDiff.first(expect, result);
    }
}

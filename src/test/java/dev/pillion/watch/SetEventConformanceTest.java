package dev.pillion.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.api.SidecarSet;
import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Recorded SidecarSet events (events.md 2). */
class SetEventConformanceTest {
    @Test
    void agreesInReferenceMode() {
        conformance("setevent", WatchOptions.REFERENCE).verify(Vectors.of("setevent"), 0);
    }

    @Test
    void differsOnlyInTheCustomVersionByDefault() {
        conformance("setevent/pillion", WatchOptions.PILLION)
                .deviation("events-7.6", SetEventConformanceTest::customVersionMoved,
                        (input, expect, result) -> result.size() == 1 ? Optional.empty() : Optional.of("not enqueued"))
                .verify(Vectors.of("setevent"), 0.15);
    }

    private static Conformance<List<String>> conformance(String label, WatchOptions options) {
        return new Conformance<>(label, input -> run(input, options), (input, expect, result) -> {
            List<String> recorded = new ArrayList<>();
            expect.path("enqueued").forEach(n -> recorded.add(n.asString()));
            return recorded.equals(result) ? Optional.empty() : Optional.of("expected " + recorded + ", was " + result);
        });
    }

    private static List<String> run(JsonNode input, WatchOptions options) {
        return new SetEvents(options).set(set(input.path("old")), set(input.path("new"))).stream().map(w -> w.set().name()).toList();
    }

    private static boolean customVersionMoved(JsonNode input) {
        Optional<String> old = set(input.path("old")).map(SidecarSet::customVersion);
        return old.isPresent() && !old.equals(set(input.path("new")).map(SidecarSet::customVersion));
    }

    private static Optional<SidecarSet> set(JsonNode node) {
        return node instanceof ObjectNode object ? Optional.of(SidecarSet.of(object)) : Optional.empty();
    }
}

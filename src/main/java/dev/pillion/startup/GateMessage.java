package dev.pillion.startup;

import java.util.Set;
import java.util.TreeSet;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/** The message of the condition KruisePodReady: who holds the Pod back (neighbours.md 2.3). Only read; it is never written. */
final class GateMessage {
    static final String LIFECYCLE = "Lifecycle";
    static final String RECREATE_REQUEST = "ContainerRecreateRequest";
    static final String OTHER = "other";
    static final Set<String> WRITERS = Set.of(LIFECYCLE, RECREATE_REQUEST, OTHER);

    private GateMessage() {
    }

    /** The known writers in the message; {@link #OTHER} for unknown ones, and when none is named. */
    static Set<String> writers(String message) {
        Set<String> writers = new TreeSet<>();
        for (JsonNode entry : Json.tryRead(message).filter(JsonNode::isArray).orElse(Json.NODES.arrayNode())) {
            String writer = Json.text(entry, "userAgent");
            writers.add(WRITERS.contains(writer) ? writer : OTHER);
        }
        return writers.isEmpty() ? Set.of(OTHER) : writers;
    }
}

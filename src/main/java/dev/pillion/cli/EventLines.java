package dev.pillion.cli;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.kube.ClusterReads;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The last events about one object, newest last. */
final class EventLines {
    /** Events of cluster-scoped objects live here. */
    private static final String DEFAULT_NAMESPACE = "default";

    private EventLines() {
    }

    /** A table, or "" when there is none; events that other components wrote about the object are among them. */
    static String of(ClusterReads reads, ObjectNode about, int limit, Instant now, String indent) {
        JsonNode metadata = about.path("metadata");
        String namespace = Json.text(metadata, "namespace");
        List<ObjectNode> events = reads.events(namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace).stream()
                .filter(e -> isAbout(e.path("regarding"), about)).sorted(Comparator.comparing(EventLines::time)).toList();
        TextTable table = new TextTable("AGE", "TYPE", "REASON", "NOTE");
        for (ObjectNode event : events.subList(Math.max(0, events.size() - limit), events.size())) {
            int count = event.path("series").path("count").asInt(1);
            table.row(Ages.of(Optional.of(time(event)), now), Json.text(event, "type"), Json.text(event, "reason"),
                    Json.text(event, "note") + (count > 1 ? " (" + count + " times)" : ""));
        }
        return table.isEmpty() ? "" : table.text(indent);
    }

    private static boolean isAbout(JsonNode regarding, ObjectNode object) {
        String uid = Json.text(regarding, "uid");
        return Json.text(regarding, "kind").equals(Json.text(object, "kind"))
                && Json.text(regarding, "name").equals(Json.text(object.path("metadata"), "name"))
                && (uid.isEmpty() || uid.equals(Json.text(object.path("metadata"), "uid")));
    }

    /** When it was last seen; events of the older API have their times elsewhere. */
    private static Instant time(JsonNode event) {
        for (JsonNode text : List.of(event.path("series").path("lastObservedTime"), event.path("eventTime"),
                event.path("deprecatedLastTimestamp"), event.path("metadata").path("creationTimestamp"))) {
            Optional<Instant> time = GoTime.read(text.asString(""));
            if (time.isPresent()) {
                return time.get();
            }
        }
        return Instant.EPOCH;
    }
}

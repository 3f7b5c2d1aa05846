package dev.pillion.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/**
 * Reads audit.k8s.io/v1 events, one JSON object a line, as the sandbox and kube-apiserver's audit file give them.
 * Writes come in the order in which the store took them: by resourceVersion, which one store hands out in ascending order.
 */
public final class AuditLog {
    private static final List<String> WRITE_VERBS = List.of("create", "update", "patch", "delete", "deletecollection");

    private AuditLog() {
    }

    /**
     * One accepted write.
     *
     * @param subresource "" for the main resource
     * @param version resourceVersion of the answer, or that of the write before it when the answer has none
     * @param received when the request came
     * @param at when it was answered
     * @param request the object or patch that was sent; missing node when none was
     * @param response the object as stored afterwards, or a Status
     */
    public record Write(long version, Instant received, Instant at, String verb, String resource, String subresource, String namespace,
            String name,
            String userAgent,
            JsonNode request, JsonNode response) {

        public boolean isOn(String kindPlural) {
            return resource.equals(kindPlural);
        }

        /** Whether the object is gone after this write. */
        public boolean removes() {
            return verb.equals("delete") && !response.path("metadata").path("deletionTimestamp").isString();
        }

        private Write withVersion(long other) {
            return new Write(other, received, at, verb, resource, subresource, namespace, name, userAgent, request, response);
        }
    }

    /** Accepted writes that changed something. Lines that are no audit event of a finished write are left out. */
    public static List<Write> writes(Stream<String> lines) {
        List<Write> writes = new ArrayList<>();
        long[] last = {0};
        lines.forEach(line -> Json.tryRead(line).flatMap(AuditLog::write).ifPresent(write -> {
            last[0] = Math.max(last[0], write.version());
            writes.add(write.version() == 0 ? write.withVersion(last[0]) : write);
        }));
        return inOrder(writes);
    }

    /** The same writes in the order in which the store took them. */
    public static List<Write> inOrder(List<Write> writes) {
        return writes.stream().sorted(Comparator.comparingLong(Write::version)).toList();
    }

    /** One event as a write; version 0 when the answer has none. Empty when it is no finished and accepted write. */
    public static Optional<Write> write(JsonNode event) {
        String verb = Json.text(event, "verb");
        int code = event.path("responseStatus").path("code").asInt(0);
        if (!WRITE_VERBS.contains(verb) || !Json.text(event, "stage").equals("ResponseComplete") || code < 200 || code > 299) {
            return Optional.empty();
        }
        JsonNode reference = event.path("objectRef");
        JsonNode response = event.path("responseObject");
        JsonNode metadata = response.path("metadata");
        String name = Json.text(reference, "name");
        Instant at = Instant.parse(Json.text(event, "stageTimestamp"));
        String received = Json.text(event, "requestReceivedTimestamp");
        return Optional.of(new Write(metadata.path("resourceVersion").asLong(0), received.isEmpty() ? at : Instant.parse(received), at,
                verb,
                Json.text(reference, "resource"), Json.text(reference, "subresource"), Json.text(reference, "namespace"),
                name.isEmpty() ? Json.text(metadata, "name") : name, Json.text(event, "userAgent"), event.path("requestObject"), response));
    }
}

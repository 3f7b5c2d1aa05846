package dev.pillion.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
     * @param request the object or patch that was sent; missing node when none was
     * @param response the object as stored afterwards, or a Status
     */
    public record Write(long version, Instant at, String verb, String resource, String subresource, String namespace, String name,
            String userAgent,
            JsonNode request, JsonNode response) {

        public boolean isOn(String kindPlural) {
            return resource.equals(kindPlural);
        }

        /** Whether the object is gone after this write. */
        public boolean removes() {
            return verb.equals("delete") && !response.path("metadata").path("deletionTimestamp").isString();
        }
    }

    /** Accepted writes that changed something. Lines that are no audit event of a finished write are left out. */
    public static List<Write> writes(Stream<String> lines) {
        List<Write> writes = new ArrayList<>();
        long[] last = {0};
        lines.forEach(line -> Json.tryRead(line).ifPresent(event -> {
            String verb = Json.text(event, "verb");
            int code = event.path("responseStatus").path("code").asInt(0);
            if (!WRITE_VERBS.contains(verb) || !Json.text(event, "stage").equals("ResponseComplete") || code < 200 || code > 299) {
                return;
            }
            JsonNode reference = event.path("objectRef");
            JsonNode response = event.path("responseObject");
            JsonNode metadata = response.path("metadata");
            last[0] = Math.max(last[0], metadata.path("resourceVersion").asLong(0));
            long version = metadata.path("resourceVersion").asLong(last[0]);
            String name = Json.text(reference, "name");
            writes.add(new Write(version, Instant.parse(Json.text(event, "stageTimestamp")), verb, Json.text(reference, "resource"),
                    Json.text(reference, "subresource"), Json.text(reference, "namespace"),
                    name.isEmpty() ? Json.text(metadata, "name") : name,
                    Json.text(event, "userAgent"), event.path("requestObject"), response));
        }));
        writes.sort(Comparator.comparingLong(Write::version));
        return writes;
    }
}

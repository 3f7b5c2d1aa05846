package dev.pillion.app;

import java.util.ArrayList;
import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.it.RawHttp;

import tools.jackson.databind.JsonNode;

/** Events as a user sees them: "Reason: note", with " xN" when it was repeated. */
final class EventsOf {
    private EventsOf() {
    }

    static List<String> set(RawHttp http, String name) {
        return of(http, "default", "SidecarSet", name);
    }

    static List<String> pod(RawHttp http, String namespace, String name) {
        return of(http, namespace, "Pod", name);
    }

    private static List<String> of(RawHttp http, String namespace, String kind, String name) {
        List<String> found = new ArrayList<>();
        for (JsonNode event : http.get("/apis/events.k8s.io/v1/namespaces/" + namespace + "/events").body().path("items")) {
            if (Json.text(event.path("regarding"), "kind").equals(kind) && Json.text(event.path("regarding"), "name").equals(name)) {
                int count = event.at("/series/count").asInt(1);
                found.add(Json.text(event, "reason") + ": " + Json.text(event, "note") + (count > 1 ? " x" + count : ""));
            }
        }
        return found;
    }
}

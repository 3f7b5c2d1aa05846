package dev.pillion.revision;

import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of one container of a set (validation.md 3.1, 3.2). Changes the given object. startupProbe gets none, for equal hashes. */
final class ContainerDefaults {
    private ContainerDefaults() {
    }

    static void apply(ObjectNode container, String podInjectPolicy) {
        text(container, "podInjectPolicy", podInjectPolicy);
        text(container.withObjectProperty("upgradeStrategy"), "upgradeType", "ColdUpgrade");
        text(container.withObjectProperty("shareVolumePolicy"), "type", "disabled");
        for (JsonNode transfer : container.path("transferEnv")) {
            // An object without fieldRef crashes the reference; here it is left to validation (validation.md trap 2).
            fieldRef(transfer.path("sourceContainerNameFrom"));
        }
        text(container, "imagePullPolicy", PullPolicy.of(Json.text(container, "image")));
        text(container, "terminationMessagePath", "/dev/termination-log");
        text(container, "terminationMessagePolicy", "File");
        for (JsonNode port : container.path("ports")) {
            text(port, "protocol", "TCP");
        }
        for (JsonNode env : container.path("env")) {
            fieldRef(env.path("valueFrom"));
        }
        List.of("limits", "requests").forEach(m -> roundToMilli(container.path("resources").path(m)));
        probe(container.path("livenessProbe"));
        probe(container.path("readinessProbe"));
        httpGet(container.path("lifecycle").path("postStart").path("httpGet"));
        httpGet(container.path("lifecycle").path("preStop").path("httpGet"));
    }

    private static void probe(JsonNode probe) {
        number(probe, "timeoutSeconds", 1);
        number(probe, "periodSeconds", 10);
        number(probe, "successThreshold", 1);
        number(probe, "failureThreshold", 3);
        httpGet(probe.path("httpGet"));
    }

    private static void httpGet(JsonNode action) {
        text(action, "path", "/");
        text(action, "scheme", "HTTP");
    }

    private static void roundToMilli(JsonNode resources) {
        if (resources instanceof ObjectNode list) {
            for (String name : List.copyOf(list.propertyNames())) {
                Quantity.parse(list.path(name).asString("")).ifPresent(q -> list.put(name, q.roundedToMilli().toString()));
            }
        }
    }

    static void fieldRef(JsonNode source) {
        text(source.path("fieldRef"), "apiVersion", "v1");
    }

    /** Sets a member that is absent or empty; anything but an object is left alone. */
    static void text(JsonNode object, String member, String value) {
        if (object instanceof ObjectNode o && Json.text(o, member).isEmpty()) {
            o.put(member, value);
        }
    }

    /** Sets a member that is absent or 0. */
    static void number(JsonNode object, String member, int value) {
        if (object instanceof ObjectNode o && o.path(member).asInt(0) == 0) {
            o.put(member, value);
        }
    }
}

package dev.pillion.sandbox;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The defaults of core/v1 pod specs, for pods and for templates. Fields that the sandbox does not know stay as they are. */
final class PodDefaults {

    private PodDefaults() {
    }

    static void apply(ObjectNode spec) {
        text(spec, "restartPolicy", "Always");
        number(spec, "terminationGracePeriodSeconds", 30);
        text(spec, "dnsPolicy", "ClusterFirst");
        text(spec, "schedulerName", "default-scheduler");
        if (Trees.isAbsent(spec.path("securityContext"))) {
            spec.putObject("securityContext");
        }
        String account = Trees.text(spec, "serviceAccountName").isEmpty()
                ? Trees.text(spec, "serviceAccount")
                : Trees.text(spec, "serviceAccountName");
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
        boolean hostNetwork = spec.path("hostNetwork").asBoolean(false);
        for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
            for (JsonNode container : spec.path(list)) {
                if (container instanceof ObjectNode object) {
                    container(object, hostNetwork);
                }
            }
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volume instanceof ObjectNode object) {
                volume(object);
            }
        }
    }

    private static void container(ObjectNode container, boolean hostNetwork) {
        text(container, "imagePullPolicy", isLatest(Trees.text(container, "image")) ? "Always" : "IfNotPresent");
        text(container, "terminationMessagePath", "/dev/termination-log");
        text(container, "terminationMessagePolicy", "File");
        ObjectNode resources = Trees.child(container, "resources");
        for (String list : List.of("limits", "requests")) {
            if (resources.path(list) instanceof ObjectNode amounts) {
                amounts.properties()
                        .forEach(entry -> Amount.canonical(entry.getValue()).ifPresent(text -> amounts.put(entry.getKey(), text)));
            }
        }
        if (resources.path("limits") instanceof ObjectNode limits && !limits.isEmpty()) {
            ObjectNode requests = Trees.child(resources, "requests");
            limits.properties().forEach(entry -> {
                if (!requests.has(entry.getKey())) {
                    requests.set(entry.getKey(), entry.getValue());
                }
            });
        }
        for (JsonNode port : container.path("ports")) {
            if (port instanceof ObjectNode object) {
                text(object, "protocol", "TCP");
                if (hostNetwork && Trees.isAbsent(object.path("hostPort")) && object.has("containerPort")) {
                    object.set("hostPort", object.path("containerPort"));
                }
            }
        }
        for (JsonNode env : container.path("env")) {
            fieldRef(env.path("valueFrom"));
        }
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            if (container.path(probe) instanceof ObjectNode object) {
                number(object, "timeoutSeconds", 1);
                number(object, "periodSeconds", 10);
                number(object, "successThreshold", 1);
                number(object, "failureThreshold", 3);
                httpGet(object);
                if (object.path("grpc") instanceof ObjectNode grpc && Trees.isAbsent(grpc.path("service"))) {
                    grpc.put("service", "");
                }
            }
        }
        for (String hook : List.of("postStart", "preStop")) {
            if (container.path("lifecycle").path(hook) instanceof ObjectNode object) {
                httpGet(object);
            }
        }
    }

    /** No tag and no digest means latest. */
    private static boolean isLatest(String image) {
        if (image.contains("@")) {
            return false;
        }
        String last = image.substring(image.lastIndexOf('/') + 1);
        int colon = last.indexOf(':');
        return colon < 0 || last.substring(colon + 1).equals("latest");
    }

    private static void httpGet(ObjectNode handler) {
        if (handler.path("httpGet") instanceof ObjectNode get) {
            text(get, "path", "/");
            text(get, "scheme", "HTTP");
        }
    }

    private static void fieldRef(JsonNode source) {
        if (source.path("fieldRef") instanceof ObjectNode ref) {
            text(ref, "apiVersion", "v1");
        }
        if (source.path("resourceFieldRef") instanceof ObjectNode ref) {
            text(ref, "divisor", "0");
        }
    }

    private static void volume(ObjectNode volume) {
        if (volume.size() <= 1 && volume.has("name")) {
            volume.putObject("emptyDir");
        }
        for (String source : List.of("secret", "configMap", "downwardAPI", "projected")) {
            if (volume.path(source) instanceof ObjectNode object) {
                number(object, "defaultMode", 420);
                object.path("items").forEach(PodDefaults::fieldRef);
            }
        }
        for (JsonNode part : Trees.at(volume, "projected", "sources")) {
            if (part.path("serviceAccountToken") instanceof ObjectNode token) {
                number(token, "expirationSeconds", 3600);
            }
            Trees.at(part, "downwardAPI", "items").forEach(PodDefaults::fieldRef);
        }
        if (volume.path("hostPath") instanceof ObjectNode path && Trees.isAbsent(path.path("type"))) {
            path.put("type", "");
        }
    }

    static void text(ObjectNode object, String member, String value) {
        JsonNode there = object.path(member);
        if (Trees.isAbsent(there) || (there.isString() && there.stringValue().isEmpty())) {
            object.put(member, value);
        }
    }

    static void number(ObjectNode object, String member, int value) {
        if (Trees.isAbsent(object.path(member))) {
            object.put(member, value);
        }
    }
}

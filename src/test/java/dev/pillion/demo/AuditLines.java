package dev.pillion.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.pillion.api.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Audit lines written by hand: the set "logs" with one container "log", and its pods. Time is in seconds from the beginning. */
final class AuditLines {
    private static final String AGENT = Judge.USER_AGENT + "/v1beta1";
    static final String SET = "logs";
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final List<String> lines = new ArrayList<>();
    private double now;

    enum Ready {
        YES, NO
    }

    AuditLines at(double seconds) {
        now = seconds;
        return this;
    }

    /** A user writes the set. */
    AuditLines set(Object maxUnavailable) {
        ObjectNode set = Json.object().put("apiVersion", "apps.kruise.io/v1beta1").put("kind", "SidecarSet");
        set.putObject("metadata").put("name", SET).put("resourceVersion", version());
        ObjectNode spec = set.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", "shop");
        ObjectNode strategy = spec.putObject("updateStrategy");
        if (maxUnavailable instanceof Integer number) {
            strategy.put("maxUnavailable", number);
        } else {
            strategy.put("maxUnavailable", maxUnavailable.toString());
        }
        spec.putArray("containers").addObject().put("name", "log").put("image", "log:2");
        return line("update", "sidecarsets", "", SET, "user", 200, set);
    }

    /** Pods as their workload creates and the kubelet starts them, with the sidecar of hash h1. */
    AuditLines pods(String... names) {
        for (String name : names) {
            write("create", name, "h1", "log:1", Ready.NO, "user");
            kubelet(name, "h1", "log:1", Ready.YES);
        }
        return this;
    }

    /** The kubelet reports a pod of that hash running the image. */
    AuditLines kubelet(String name, String hash, String image, Ready ready) {
        return line("patch", "pods", "status", name, "kubelet", 200, pod(name, hash, image, "id-of-" + image, ready));
    }

    /** Pillion upgrades a pod to hash h2; its old container still runs. */
    AuditLines upgrade(String name, Ready before) {
        String replica = AGENT + " (host_1)";
        return line("patch", "pods", "", name, replica, 200, pod(name, "h2", "log:2", "id-of-log:1", before));
    }

    AuditLines refusedUpgrade(String name) {
        return line("patch", "pods", "", name, AGENT, 409, Json.object().put("kind", "Status").put("code", 409));
    }

    /** The same to another hash. */
    AuditLines upgradeTo(String hash, String name, Ready before) {
        return line("patch", "pods", "", name, AGENT, 200, pod(name, hash, "log:2", "id-of-log:1", before));
    }

    /** A pod with the new image becomes ready. */
    AuditLines sound(String name) {
        return kubelet(name, "h2", "log:2", Ready.YES);
    }

    /** A user takes the pod out of the set's selector. */
    AuditLines relabel(String name) {
        ObjectNode pod = pod(name, "h2", "log:2", "id-of-log:1", Ready.NO);
        pod.withObject("/metadata/labels").put("app", "elsewhere");
        return line("patch", "pods", "", name, "user", 200, pod);
    }

    AuditLines delete(String name) {
        return deleteAskedAt(now, name);
    }

    /** The same, when the request came earlier than its answer went. */
    AuditLines deleteAskedAt(double received, String name) {
        return line("delete", "pods", "", name, "user", 200, pod(name, "h2", "log:2", "id-of-log:1", Ready.NO), received);
    }

    Stream<String> lines() {
        return lines.stream();
    }

    private void write(String verb, String name, String hash, String image, Ready ready, String agent) {
        line(verb, "pods", "", name, agent, 201, pod(name, hash, image, "id-of-" + image, ready));
    }

    private ObjectNode pod(String name, String hash, String image, String imageId, Ready ready) {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("name", name).put("namespace", "default").put("uid", "uid-of-" + name)
                .put("resourceVersion", version());
        metadata.putObject("labels").put("app", "shop");
        metadata.putObject("annotations").put("kruise.io/sidecarset-injected-list", SET)
                .put("kruise.io/sidecarset-hash",
                        "{\"logs\":{\"hash\":\"" + hash + "\",\"sidecarSetName\":\"logs\",\"sidecarList\":[\"log\"]}}")
                .put("kruise.io/sidecarset-inplace-update-state",
                        "{\"logs\":{\"revision\":\"" + hash + "\",\"lastContainerStatuses\":{\"log\":{\"imageID\":\"id-of-log:1\"}}}}");
        pod.putObject("spec").putArray("containers").addObject().put("name", "log").put("image", image);
        ObjectNode status = pod.putObject("status").put("phase", "Running");
        ArrayNode conditions = status.putArray("conditions");
        conditions.addObject().put("type", "Ready").put("status", ready == Ready.YES ? "True" : "False");
        status.putArray("containerStatuses").addObject().put("name", "log").put("image", imageId.substring("id-of-".length()))
                .put("imageID", imageId)
                .put("ready", ready == Ready.YES).put("restartCount", 0);
        return pod;
    }

    private AuditLines line(String verb, String resource, String subresource, String name, String agent, int code, ObjectNode response) {
        return line(verb, resource, subresource, name, agent, code, response, now);
    }

    private AuditLines line(String verb, String resource, String subresource, String name, String agent, int code, ObjectNode response,
            double received) {
        ObjectNode event = Json.object().put("kind", "Event").put("apiVersion", "audit.k8s.io/v1").put("stage", "ResponseComplete")
                .put("verb", verb)
                .put("userAgent", agent).put("requestReceivedTimestamp", time(received)).put("stageTimestamp", time(now));
        event.putObject("objectRef").put("resource", resource).put("namespace", "default").put("name", name).put("subresource",
                subresource);
        event.putObject("responseStatus").put("code", code);
        event.set("responseObject", response);
        lines.add(Json.write(event));
        return this;
    }

    private static String time(double seconds) {
        return BEGIN.plusMillis((long) (seconds * 1000)).toString();
    }

    private String version() {
        return Integer.toString(lines.size() + 1);
    }
}

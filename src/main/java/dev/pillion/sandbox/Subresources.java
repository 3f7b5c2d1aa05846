package dev.pillion.sandbox;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Second-level paths with a life of their own: binding, eviction, scale, finalize, ephemeralcontainers, resize. */
final class Subresources {
    private final Services services;
    private final Writes writes;
    private final Deletions deletions;

    Subresources(Services services, Writes writes, Deletions deletions) {
        this.services = services;
        this.writes = writes;
        this.deletions = deletions;
    }

    /** POST pods/x/binding: puts the pod on a node. */
    ObjectNode bind(Target target, JsonNode binding, WriteOptions options) {
        String node = Trees.text(binding, "target", "name");
        if (node.isEmpty()) {
            throw ApiError.invalid(target.type(), target.name(), List.of(Cause.required("target.name", "")));
        }
        writes.update(target, pod -> {
            ObjectNode spec = Trees.child(pod, "spec");
            String there = Trees.text(spec, "nodeName");
            if (!there.isEmpty()) {
                String text = "pod " + target.name() + " is already assigned to node " + Names.quoted(there);
                throw ApiError.of(409, "Conflict",
                        "Operation cannot be fulfilled on pods/binding " + Names.quoted(target.name()) + ": " + text,
                        Trees.object().put("name", target.name()).put("kind", "pods/binding"));
            }
            spec.put("nodeName", node);
            if (Trees.at(binding, "metadata", "annotations") instanceof ObjectNode annotations) {
                Trees.child(Trees.metadata(pod), "annotations").setAll(annotations.deepCopy());
            }
            ArrayNode conditions = Trees.child(pod, "status").path("conditions") instanceof ArrayNode list
                    ? list
                    : Trees.child(pod, "status").putArray("conditions");
            if (conditions.valueStream().noneMatch(entry -> Trees.text(entry, "type").equals("PodScheduled"))) {
                conditions.addObject().put("type", "PodScheduled").put("status", "True").put("lastTransitionTime", services.timestamp());
            }
            return pod;
        }, options);
        return Deletions.success().put("code", 201);
    }

    /** POST pods/x/eviction: a DELETE with another face. Budgets are not looked at. */
    ObjectNode evict(Target target, JsonNode eviction, WriteOptions options) {
        ObjectNode request = eviction.path("deleteOptions") instanceof ObjectNode given ? given : Trees.object();
        deletions.delete(target.without("eviction"), request, options);
        return Deletions.success().put("code", 201);
    }

    /** The object as an autoscaling/v1 Scale. */
    static ObjectNode scale(ObjectNode object) {
        ObjectNode scale = Trees.object();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String member : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            Trees.setOrRemove(metadata, member, Trees.at(object, "metadata", member));
        }
        scale.putObject("spec").put("replicas", Trees.at(object, "spec", "replicas").asInt(0));
        ObjectNode status = scale.putObject("status");
        status.put("replicas", Trees.at(object, "status", "replicas").asInt(0));
        StringBuilder selector = new StringBuilder();
        Trees.at(object, "spec", "selector", "matchLabels").properties().forEach(
                entry -> selector.append(selector.isEmpty() ? "" : ",").append(entry.getKey()).append('=')
                        .append(entry.getValue().asString()));
        status.put("selector", selector.toString());
        return scale;
    }

    /** PUT of a Scale. */
    Writes.Outcome putScale(Target target, JsonNode body, WriteOptions options) {
        return writes.update(target, object -> scaled(object, body), options);
    }

    /** PATCH of a Scale. */
    Writes.Outcome patchScale(Target target, String contentType, JsonNode patch, WriteOptions options) {
        return writes.update(target, object -> scaled(object, Patches.patched(target, contentType, scale(object), patch)), options);
    }

    private static ObjectNode scaled(ObjectNode object, JsonNode scale) {
        JsonNode replicas = Trees.at(scale, "spec", "replicas");
        Trees.child(object, "spec").set("replicas", replicas.isNumber() ? replicas : Trees.MAPPER.getNodeFactory().numberNode(0));
        String revision = Trees.text(scale, "metadata", "resourceVersion");
        if (!revision.isEmpty()) {
            Trees.metadata(object).put("resourceVersion", revision);
        }
        return object;
    }

    /** PUT of ephemeralcontainers, resize or finalize: of the sent object only what the path is about counts. */
    Writes.Outcome putPart(Target target, JsonNode body, WriteOptions options) {
        return writes.update(target, object -> part(target, object, body), options);
    }

    Writes.Outcome patchPart(Target target, String contentType, JsonNode patch, WriteOptions options) {
        return writes.update(target, object -> part(target, object, Patches.patched(target, contentType, object, patch)), options);
    }

    private static ObjectNode part(Target target, ObjectNode object, JsonNode sent) {
        ObjectNode spec = Trees.child(object, "spec");
        String revision = Trees.text(sent, "metadata", "resourceVersion");
        if (!revision.isEmpty()) {
            Trees.metadata(object).put("resourceVersion", revision);
        }
        switch (target.subresource()) {
            case "ephemeralcontainers" -> Trees.setOrRemove(spec, "ephemeralContainers", Trees.at(sent, "spec", "ephemeralContainers"));
            case "finalize" -> Trees.setOrRemove(spec, "finalizers", Trees.at(sent, "spec", "finalizers"));
            default -> {
                JsonNode containers = Trees.at(sent, "spec", "containers");
                for (int i = 0; i < spec.path("containers").size(); i++) {
                    if (spec.path("containers").path(i) instanceof ObjectNode container) {
                        Trees.setOrRemove(container, "resources", containers.path(i).path("resources"));
                    }
                }
            }
        }
        return object;
    }
}

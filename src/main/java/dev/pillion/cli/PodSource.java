package dev.pillion.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Pod to come: one that is written as such, or the one that a workload would create from its template.
 *
 * @param pod as its creator would send it, but for a controller reference
 * @param creator the controller reference, which decides on the readiness gate; empty for a Pod of its own
 */
record PodSource(Manifest manifest, ObjectNode pod, Optional<ObjectNode> creator) {
    private static final List<String> TEMPLATES = List.of("/spec/template", "/spec/jobTemplate/spec/template");

    /** The Pods of manifests, in order; objects that neither are nor create Pods are passed over. */
    static List<PodSource> of(List<Manifest> manifests) throws InputFault {
        List<PodSource> sources = new ArrayList<>();
        for (Manifest manifest : manifests) {
            if (manifest.kind().equals("Pod") && manifest.apiVersion().equals("v1")) {
                sources.add(new PodSource(manifest, manifest.object(), Optional.empty()));
            } else {
                template(manifest).ifPresent(t -> sources.add(fromTemplate(manifest, t)));
            }
        }
        return sources;
    }

    private static Optional<JsonNode> template(Manifest manifest) {
        return TEMPLATES.stream().map(manifest.object()::at).filter(t -> t.path("spec").path("containers").isArray()).findFirst();
    }

    private static PodSource fromTemplate(Manifest manifest, JsonNode template) {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("generateName", manifest.name() + "-");
        String namespace = Json.text(manifest.object().path("metadata"), "namespace");
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        template.path("metadata").properties().stream().filter(m -> !m.getKey().equals("creationTimestamp"))
                .forEach(m -> metadata.set(m.getKey(), m.getValue()));
        pod.set("spec", template.path("spec"));
        ObjectNode creator = Json.object().put("apiVersion", manifest.apiVersion()).put("kind", manifest.kind())
                .put("name", manifest.name()).put("uid", "").put("controller", true);
        return new PodSource(manifest, pod, Optional.of(creator));
    }

    /** What the webhook would get; the printed Pod stays without a reference to an object that need not exist. */
    ObjectNode submitted() {
        if (creator.isEmpty()) {
            return pod;
        }
        ObjectNode submitted = pod.deepCopy();
        submitted.withObjectProperty("metadata").putArray("ownerReferences").add(creator.get());
        return submitted;
    }

    String namespace(String otherwise) {
        String own = Json.text(pod.path("metadata"), "namespace");
        return own.isEmpty() ? otherwise : own;
    }

    /** The Pod's name for messages, as in the webhook's. */
    String describe(String namespace) {
        JsonNode metadata = pod.path("metadata");
        String name = Json.text(metadata, "name");
        return namespace(namespace) + "/" + (name.isEmpty() ? Json.text(metadata, "generateName") + "*" : name);
    }
}

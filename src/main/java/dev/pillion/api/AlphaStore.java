package dev.pillion.api;

import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The annotation on v1beta1 objects that remembers what conversion from v1alpha1 drops (api.md 3, S1 and S2). */
final class AlphaStore {

    /** namespace is "" when there was none; the label only when it was there and empty. */
    record Lost(String namespace, Optional<JsonNode> namespaceSelector, Optional<String> emptyLabel) {
    }

    private AlphaStore() {
    }

    /** S1: writes the annotation, or removes one that came in. */
    static void write(ObjectNode object, Lost lost) {
        ObjectNode record = Json.object();
        if (!lost.namespace.isEmpty()) {
            record.put("namespace", lost.namespace);
        }
        lost.namespaceSelector.ifPresent(s -> record.set("namespaceSelector", s));
        lost.emptyLabel.ifPresent(l -> record.put("customVersionLabel", l));
        take(object);
        if (!record.isEmpty()) {
            object.withObjectProperty("metadata").withObjectProperty("annotations").put(Wire.V1ALPHA1_STORE, Json.write(record));
        }
    }

    /** Removes the annotation and answers what it records; empty when there is none that can be read. */
    static Optional<JsonNode> take(ObjectNode object) {
        if (!(object.path("metadata").path("annotations") instanceof ObjectNode annotations) || !annotations.has(Wire.V1ALPHA1_STORE)) {
            return Optional.empty();
        }
        String text = Json.text(annotations, Wire.V1ALPHA1_STORE);
        annotations.remove(Wire.V1ALPHA1_STORE);
        if (annotations.isEmpty()) {
            ((ObjectNode) object.path("metadata")).remove("annotations");
        }
        return Json.tryRead(text).filter(JsonNode::isObject);
    }

    /** S2 on an object that is v1alpha1 already. A record that no longer fits the stored selector is ignored. */
    static void restore(ObjectNode object, JsonNode recorded) {
        String namespace = Json.text(recorded, "namespace");
        JsonNode selector = recorded.path("namespaceSelector");
        boolean readable = selector.isMissingNode() || selector.isObject();
        if (!namespace.isEmpty() && readable && object.path("spec") instanceof ObjectNode spec
                && selectorOf(namespace).equals(spec.path("namespaceSelector"))) {
            spec.put("namespace", namespace);
            if (selector.isObject()) {
                spec.set("namespaceSelector", selector);
            } else {
                spec.remove("namespaceSelector");
            }
        }
        JsonNode label = recorded.path("customVersionLabel");
        if (label.isString() && label.stringValue().isEmpty()
                && !object.path("metadata").path("labels").has(Wire.CUSTOM_VERSION_LABEL)) {
            labels(object).put(Wire.CUSTOM_VERSION_LABEL, "");
        }
    }

    static ObjectNode labels(ObjectNode object) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        return metadata.path("labels") instanceof ObjectNode labels ? labels : metadata.putObject("labels");
    }

    /** R1: what stands for a namespace. */
    static ObjectNode selectorOf(String namespace) {
        ObjectNode selector = Json.object();
        selector.putObject("matchLabels").put(Wire.NAMESPACE_NAME_LABEL, namespace);
        return selector;
    }
}

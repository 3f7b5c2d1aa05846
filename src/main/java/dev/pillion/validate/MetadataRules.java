package dev.pillion.validate;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** metadata of a set (validation.md 5). */
final class MetadataRules {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9\\-]+");
    private static final int MAX_NAME = 63;
    private static final int MAX_ANNOTATIONS = 256 * 1024;
    private static final int MAX_MANAGER = 128;
    private static final int MAX_SUBRESOURCE = 256;

    private final Faults faults;

    MetadataRules(Faults faults) {
        this.faults = faults;
    }

    void check(JsonNode metadata) {
        String name = Node.text(metadata, "name");
        String generateName = Node.text(metadata, "generateName");
        if (!generateName.isEmpty()) {
            name(generateName, "metadata.generateName");
        }
        if (!name.isEmpty()) {
            name(name, "metadata.name");
        } else {
            // The API server has made a name of generateName before it asks; so an empty one is a fault in either case.
            faults.required("metadata.name", "must be given");
        }
        if (!Node.text(metadata, "namespace").isEmpty()) {
            faults.forbidden("metadata.namespace", "a SidecarSet belongs to no namespace: remove it");
        }
        if (Node.number(metadata, "generation") < 0) {
            faults.invalid("metadata.generation", "must not be negative");
        }
        new SelectorRules(faults).labels(metadata, "labels", "metadata.labels");
        annotations(metadata, "annotations", "metadata.annotations");
        owners(Node.items(metadata, "ownerReferences"));
        finalizers(Node.texts(metadata, "finalizers"));
        managedFields(Node.items(metadata, "managedFields"));
    }

    private void name(String name, String path) {
        if (!NAME.matcher(name).matches()) {
            faults.invalid(path, Faults.quoted(name) + " must be letters, digits and '-'; dots are not allowed");
        }
        if (Formats.length(name) > MAX_NAME) {
            faults.invalid(path, "must have at most " + MAX_NAME + " characters");
        }
    }

    /** Keys and total size of annotations. */
    void annotations(JsonNode object, String member, String path) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : Node.entries(object, member)) {
            faults.invalidEach(path, Formats.qualifiedName(Formats.lowerCase(annotation.getKey())));
            size += Formats.length(annotation.getKey()) + Formats.length(annotation.getValue().asString(""));
        }
        if (size > MAX_ANNOTATIONS) {
            faults.tooLong(path, MAX_ANNOTATIONS);
        }
    }

    /** Compatible: paths carry no index, as for any Kubernetes object. */
    private void owners(List<JsonNode> owners) {
        String path = "metadata.ownerReferences";
        boolean controlled = false;
        for (JsonNode owner : owners) {
            String apiVersion = Node.text(owner, "apiVersion");
            String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
            if (version.isEmpty() || version.contains("/")) {
                faults.invalid(path + ".apiVersion", "must be a version, or a group, '/' and a version");
            }
            for (String member : List.of("kind", "name", "uid")) {
                if (Node.text(owner, member).isEmpty()) {
                    faults.invalid(path + "." + member, "must not be empty");
                }
            }
            if (apiVersion.equals("v1") && Node.text(owner, "kind").equals("Event")) {
                faults.invalid(path, "an Event cannot own other objects");
            }
            if (Node.isTrue(owner, "controller")) {
                if (controlled) {
                    faults.invalid(path, "only one owner can be the controller");
                }
                controlled = true;
            }
        }
    }

    private void finalizers(List<String> finalizers) {
        String path = "metadata.finalizers";
        finalizers.forEach(f -> faults.invalidEach(path, Formats.qualifiedName(f)));
        if (finalizers.contains("orphan") && finalizers.contains("foregroundDeletion")) {
            faults.invalid(path, "orphan and foregroundDeletion exclude each other");
        }
    }

    private void managedFields(List<JsonNode> entries) {
        for (int i = 0; i < entries.size(); i++) {
            JsonNode entry = entries.get(i);
            String path = "metadata.managedFields[" + i + "]";
            if (!List.of("Apply", "Update").contains(Node.text(entry, "operation"))) {
                faults.invalid(path + ".operation", "must be Apply or Update");
            }
            String type = Node.text(entry, "fieldsType");
            if (!type.isEmpty() && !type.equals("FieldsV1")) {
                faults.invalid(path + ".fieldsType", "must be FieldsV1");
            }
            if (Formats.length(Node.text(entry, "manager")) > MAX_MANAGER) {
                faults.tooLong(path + ".manager", MAX_MANAGER);
            }
            if (Formats.length(Node.text(entry, "subresource")) > MAX_SUBRESOURCE) {
                faults.tooLong(path + ".subresource", MAX_SUBRESOURCE);
            }
        }
    }
}

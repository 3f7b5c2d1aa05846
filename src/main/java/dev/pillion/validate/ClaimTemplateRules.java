package dev.pillion.validate;

import java.util.List;
import java.util.Map;

import dev.pillion.expr.Quantity;

import tools.jackson.databind.JsonNode;

/** Claim template of an ephemeral volume (core-validation.md 9). */
final class ClaimTemplateRules {
    private static final int MAX_ANNOTATIONS = 262144;
    private static final List<String> TEXT_META = List.of("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp");
    private static final List<String> LIST_META = List.of("ownerReferences", "finalizers", "managedFields");
    private static final List<String> MODES = List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");

    private final Faults faults;
    private final SelectorRules selectors;

    ClaimTemplateRules(Faults faults) {
        this.faults = faults;
        this.selectors = new SelectorRules(faults);
    }

    void check(JsonNode template, String path) {
        metadata(template.path("metadata"), path + ".metadata");
        spec(template.path("spec"), path + ".spec");
    }

    private void metadata(JsonNode metadata, String path) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : Node.entries(metadata, "annotations")) {
            faults.invalidEach(path + ".annotations", Formats.qualifiedName(Formats.lowerCase(annotation.getKey())));
            size += Formats.length(annotation.getKey()) + Formats.length(annotation.getValue().asString(""));
        }
        if (size > MAX_ANNOTATIONS) {
            faults.tooLong(path + ".annotations", MAX_ANNOTATIONS);
        }
        selectors.labels(metadata, "labels", path + ".labels");
        for (String member : TEXT_META) {
            if (!Node.text(metadata, member).isEmpty()) {
                noMember(path, member);
            }
        }
        if (Node.number(metadata, "generation") != 0) {
            noMember(path, "generation");
        }
        if (Node.isSet(metadata, "deletionGracePeriodSeconds")) {
            noMember(path, "deletionGracePeriodSeconds");
        }
        for (String member : LIST_META) {
            if (Node.isSet(metadata, member)) {
                noMember(path, member);
            }
        }
    }

    private void noMember(String path, String member) {
        faults.forbidden(path + "." + (member.equals("uid") ? "uID" : member), "only labels and annotations may be given here: remove it");
    }

    private void spec(JsonNode spec, String path) {
        List<String> modes = Node.texts(spec, "accessModes");
        String at = path + ".accessModes";
        if (modes.isEmpty()) {
            faults.required(at, "needs at least one of " + String.join(", ", MODES));
        }
        modes.forEach(m -> faults.oneOf(at, m, MODES));
        if (modes.contains("ReadWriteOncePod") && modes.stream().filter(MODES::contains).distinct().count() > 1) {
            faults.forbidden(at, "ReadWriteOncePod must stand alone");
        }
        if (Node.isSet(spec, "selector")) {
            selectors.check(spec.path("selector"), path + ".selector");
        }
        JsonNode requests = spec.path("resources").path("requests");
        if (!requests.has("storage")) {
            faults.required(path + ".resources[storage]", "resources.requests must name the storage size");
        } else if (Node.quantity(requests.path("storage")).compareTo(Quantity.ZERO) <= 0) {
            faults.invalid(path + ".resources[storage]", "must be greater than 0");
        }
        String storageClass = Node.text(spec, "storageClassName");
        if (!storageClass.isEmpty()) {
            faults.invalidEach(path + ".storageClassName", Formats.subdomain(storageClass));
        }
        if (Node.isSet(spec, "volumeMode")) {
            faults.oneOf(path + ".volumeMode", Node.text(spec, "volumeMode"), List.of("Block", "Filesystem"));
        }
        sources(spec, path);
    }

    private void sources(JsonNode spec, String path) {
        JsonNode source = spec.path("dataSource");
        JsonNode ref = spec.path("dataSourceRef");
        boolean both = Node.isSet(spec, "dataSource") && Node.isSet(spec, "dataSourceRef");
        if (Node.isSet(spec, "dataSource")) {
            source(source, path + ".dataSource");
        }
        if (Node.isSet(spec, "dataSourceRef")) {
            source(ref, path + ".dataSourceRef");
        }
        String namespace = Node.text(ref, "namespace");
        if (!namespace.isEmpty()) {
            faults.invalidEach(path + ".dataSourceRef.namespace", Formats.label(namespace));
        }
        if (both && !namespace.isEmpty()) {
            faults.invalid(path, "dataSource must not be given beside a dataSourceRef with a namespace");
        } else if (both && !same(source, ref)) {
            faults.invalid(path, "dataSource and dataSourceRef must be equal, or only one given");
        }
    }

    private static boolean same(JsonNode source, JsonNode ref) {
        return Node.text(source, "kind").equals(Node.text(ref, "kind")) && Node.text(source, "name").equals(Node.text(ref, "name"))
                && Node.isSet(source, "apiGroup") == Node.isSet(ref, "apiGroup")
                && Node.text(source, "apiGroup").equals(Node.text(ref, "apiGroup"));
    }

    private void source(JsonNode source, String path) {
        faults.present(path + ".name", Node.text(source, "name"));
        String kind = Node.text(source, "kind");
        faults.present(path + ".kind", kind);
        String group = Node.text(source, "apiGroup");
        if (!group.isEmpty()) {
            faults.invalidEach(path + ".apiGroup", Formats.subdomain(group));
        } else if (!kind.equals("PersistentVolumeClaim")) {
            faults.invalid(path, "needs an apiGroup unless the kind is PersistentVolumeClaim");
        }
    }
}

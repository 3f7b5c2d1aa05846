package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One state of one object: raw JSON, parsed only when somebody needs the tree. Labels are kept beside it because every list and watch may select by them. */
final class Stored {
    private final String key;
    private final long revision;
    private final byte[] bytes;
    private final Map<String, String> labels;

    private Stored(String key, long revision, byte[] bytes, Map<String, String> labels) {
        this.key = key;
        this.revision = revision;
        this.bytes = bytes;
        this.labels = labels;
    }

    /** "namespace/name", or "name" for cluster-wide objects. */
    String key() {
        return key;
    }

    long revision() {
        return revision;
    }

    /** UTF-8 JSON in the stored version; not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    Map<String, String> labels() {
        return labels;
    }

    static Stored of(String key, long revision, ObjectNode object) {
        Trees.metadata(object).put("resourceVersion", Long.toString(revision));
        return new Stored(key, revision, Trees.bytes(ordered(object)), labels(object));
    }

    /** kind and apiVersion first: a list cuts them off. */
    private static ObjectNode ordered(ObjectNode object) {
        ObjectNode ordered = Trees.object();
        for (String member : List.of("kind", "apiVersion", "metadata", "spec", "status")) {
            if (object.has(member)) {
                ordered.set(member, object.path(member));
            }
        }
        object.properties().forEach(entry -> ordered.set(entry.getKey(), entry.getValue()));
        return ordered;
    }

    static String key(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** A tree of the caller's own. */
    ObjectNode tree() {
        return Trees.stored(bytes);
    }

    String name() {
        return key.substring(key.indexOf('/') + 1);
    }

    /** "" for cluster-wide objects. */
    String namespace() {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }

    private static Map<String, String> labels(JsonNode object) {
        JsonNode labels = Trees.at(object, "metadata", "labels");
        if (labels.isEmpty()) {
            return Map.of();
        }
        Map<String, String> copy = new TreeMap<>();
        labels.properties().forEach(entry -> {
            if (entry.getValue().isString()) {
                copy.put(entry.getKey(), entry.getValue().stringValue());
            }
        });
        return Map.copyOf(copy);
    }
}

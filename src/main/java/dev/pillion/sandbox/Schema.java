package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

/** One node of a structural OpenAPI v3 schema of a CustomResourceDefinition, read where it lies. A missing node says nothing about its values. */
record Schema(JsonNode node) {

    String type() {
        return Trees.text(node, "type");
    }

    boolean says(String flag) {
        return node.path(flag).booleanValue(false);
    }

    boolean keepsUnknown() {
        return says("x-kubernetes-preserve-unknown-fields");
    }

    /** Carries apiVersion, kind and metadata of its own. */
    boolean isEmbedded() {
        return says("x-kubernetes-embedded-resource");
    }

    boolean isIntOrString() {
        return says("x-kubernetes-int-or-string");
    }

    boolean isNullable() {
        return says("nullable");
    }

    boolean knows(String member) {
        return node.path("properties").has(member);
    }

    /** The schema of a member: its own, else that of all further members, else none. */
    Schema member(String name) {
        JsonNode own = node.path("properties").path(name);
        return new Schema(own.isMissingNode() ? node.path("additionalProperties") : own);
    }

    /** Whether every member is allowed: a map. */
    boolean isMap() {
        JsonNode further = node.path("additionalProperties");
        return further.isObject() || further.booleanValue(false);
    }

    Schema items() {
        return new Schema(node.path("items"));
    }

    List<Schema> all(String combinator) {
        List<Schema> parts = new ArrayList<>();
        node.path(combinator).forEach(part -> parts.add(new Schema(part)));
        return parts;
    }

    /** "atomic", "set" or "map" of a list. */
    String listType() {
        String type = Trees.text(node, "x-kubernetes-list-type");
        return type.isEmpty() ? "atomic" : type;
    }

    /** "granular" or "atomic" of an object. */
    String mapType() {
        String type = Trees.text(node, "x-kubernetes-map-type");
        return type.isEmpty() ? "granular" : type;
    }

    List<String> listMapKeys() {
        List<String> keys = new ArrayList<>();
        node.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.stringValue("")));
        return keys;
    }
}

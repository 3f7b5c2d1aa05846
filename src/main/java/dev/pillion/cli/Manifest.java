package dev.pillion.cli;

import dev.pillion.api.Json;

import tools.jackson.databind.node.ObjectNode;

/**
 * One object of a file, and where it stands.
 *
 * @param document counted from 1, empty documents included
 * @param item counted from 1 inside a List; 0 when the document is the object itself
 */
public record Manifest(String origin, int document, int item, ObjectNode object) {

    public String kind() {
        return Json.text(object, "kind");
    }

    public String apiVersion() {
        return Json.text(object, "apiVersion");
    }

    String name() {
        return Json.text(object.path("metadata"), "name");
    }

    /** For messages: {@code sets.yaml: document 2}. */
    String place() {
        return origin + ": document " + document + (item == 0 ? "" : ", item " + item);
    }

    /** For messages: {@code sets.yaml: document 2: SidecarSet logs}. */
    String describe() {
        return place() + ": " + kind() + " " + name();
    }

    InputFault fault(String text) {
        return new InputFault(place() + ": " + text);
    }
}

package dev.pillion.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.cli.Manifests;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The manifests of k8s/ as objects, found by kind and name. */
record Install(List<ObjectNode> objects) {
    static final Path FOLDER = Path.of("k8s");
    static final Path BASE = FOLDER.resolve("base");
    static final Path CONTROLLER = FOLDER.resolve("controller");
    static final Path CRD = FOLDER.resolve("crd").resolve("apps.kruise.io_sidecarsets.yaml");
    static final String NAMESPACE = "kruise-system";

    Install {
        objects = List.copyOf(objects);
    }

    /** Everything that the base's kustomization names, folders included. */
    static Install base() {
        return new Install(resources(BASE));
    }

    /** What one kustomization (also a component) adds. */
    static List<ObjectNode> resources(Path folder) {
        List<ObjectNode> found = new ArrayList<>();
        for (JsonNode entry : kustomization(folder).path("resources")) {
            Path resource = folder.resolve(entry.stringValue());
            try {
                found.addAll(Files.isDirectory(resource) ? resources(resource) : Manifests.read(resource));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    static JsonNode kustomization(Path folder) {
        try {
            return YAMLMapper.shared().readTree(Files.readString(folder.resolve("kustomization.yaml")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Stream<ObjectNode> all(String kind) {
        return objects.stream().filter(o -> Json.text(o, "kind").equals(kind));
    }

    ObjectNode get(String kind, String name) {
        return all(kind).filter(o -> name(o).equals(name)).findFirst()
                .orElseThrow(() -> new AssertionError("there is no " + kind + " " + name));
    }

    /** The entries of all webhook configurations. */
    Stream<JsonNode> webhooks() {
        return Stream.concat(all("MutatingWebhookConfiguration"), all("ValidatingWebhookConfiguration"))
                .flatMap(c -> c.path("webhooks").valueStream());
    }

    JsonNode pod() {
        return get("Deployment", "pillion").at("/spec/template");
    }

    JsonNode container() {
        return pod().at("/spec/containers/0");
    }

    static String name(JsonNode object) {
        return Json.text(object.path("metadata"), "name");
    }

    static String namespace(JsonNode object) {
        return Json.text(object.path("metadata"), "namespace");
    }
}

package dev.pillion.kube;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.GoJson;
import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.NamespaceView;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Paths, and objects other than Pods from and to their JSON. Public is what also reads objects out of files. */
public final class KubeObjects {
    static final String SETS = "/apis/" + Wire.V1BETA1 + "/" + Wire.PLURAL;

    private KubeObjects() {
    }

    static String revisions(String namespace) {
        return "/apis/apps/v1/namespaces/" + RawApi.encode(namespace) + "/controllerrevisions";
    }

    static String configMaps(String namespace) {
        return "/api/v1/namespaces/" + RawApi.encode(namespace) + "/configmaps";
    }

    public static Configuration configuration(ObjectNode object) {
        JsonNode text = object.path("data").path(Wire.WHITELIST_KEY);
        return new Configuration(text.isString() ? Optional.of(text.stringValue()) : Optional.empty());
    }

    public static NamespaceView namespace(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return new NamespaceView(Json.text(metadata, "name"), texts(metadata.path("labels")));
    }

    public static Revision revision(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        Optional<String> owner = Optional.empty();
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (reference.path("controller").asBoolean(false)) {
                owner = Optional.of(Json.text(reference, "uid"));
            }
        }
        return new Revision(Json.text(metadata, "name"), Json.text(metadata, "uid"), Json.text(metadata, "resourceVersion"),
                object.path("revision").asLong(0), Json.text(metadata, "creationTimestamp"), texts(metadata.path("labels")),
                texts(metadata.path("annotations")), GoJson.encode(object.path("data")), owner);
    }

    /** The object to create (api.md 4.3). */
    static ObjectNode create(Revision revision, String namespace, SidecarSet owner) {
        ObjectNode object = Json.object().put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", revision.name()).put("namespace", namespace);
        ObjectNode labels = metadata.putObject("labels");
        revision.labels().forEach(labels::put);
        ObjectNode annotations = metadata.putObject("annotations");
        revision.annotations().forEach(annotations::put);
        metadata.putArray("ownerReferences").addObject().put("apiVersion", Wire.V1BETA1).put("kind", Wire.KIND).put("name", owner.name())
                .put("uid", owner.uid()).put("controller", true).put("blockOwnerDeletion", true);
        object.put("revision", revision.number());
        // Byte for byte: the server stores the text it gets, and later refuses every patch if it differs from its own way to escape.
        object.putRawValue("data", new RawValue(revision.data()));
        return object;
    }

    static Map<String, String> texts(JsonNode object) {
        Map<String, String> map = new LinkedHashMap<>();
        object.properties().forEach(e -> {
            if (e.getValue().isString()) {
                map.put(e.getKey(), e.getValue().stringValue());
            }
        });
        return map;
    }
}

package dev.pillion.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@link Objects} over the raw API; paths come from the server's discovery, read once per group and version. */
final class HttpObjects implements Objects {
    private static final String DEFAULT_NAMESPACE = "default";

    private record Resource(String plural, boolean namespaced) {
    }

    private final RawApi api;
    private final Map<String, Map<String, Resource>> discovered = new ConcurrentHashMap<>();

    HttpObjects(RawApi api) {
        this.api = api;
    }

    @Override
    public ObjectNode apply(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        String collection = collection(Json.text(object, "apiVersion"), Json.text(object, "kind"), Json.text(metadata, "namespace"),
                Scope.WRITE);
        String path = collection + "/" + RawApi.encode(Json.text(metadata, "name"));
        if (!Json.text(metadata, "resourceVersion").isEmpty()) {
            return RawApi.tree(api.send("PUT", path, RawApi.JSON, Json.write(object)));
        }
        try {
            return RawApi.tree(api.send("POST", collection, RawApi.JSON, Json.write(object)));
        } catch (KubeException e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
        ObjectNode changed = object.deepCopy();
        changed.withObject("/metadata").put("resourceVersion", Json.text(api.getTree(path).path("metadata"), "resourceVersion"));
        return RawApi.tree(api.send("PUT", path, RawApi.JSON, Json.write(changed)));
    }

    @Override
    public Optional<ObjectNode> get(String apiVersion, String kind, String namespace, String name) {
        try {
            return Optional.of(api.getTree(collection(apiVersion, kind, namespace, Scope.WRITE) + "/" + RawApi.encode(name)));
        } catch (KubeException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public List<ObjectNode> list(String apiVersion, String kind, String namespace) {
        List<ObjectNode> items = new ArrayList<>();
        for (JsonNode item : api.getTree(listPath(apiVersion, kind, namespace)).path("items")) {
            if (item instanceof ObjectNode object) {
                items.add(object);
            }
        }
        return items;
    }

    /** Where objects are listed; the namespace is "" for all namespaces, or for a cluster-scoped kind. */
    String listPath(String apiVersion, String kind, String namespace) {
        return collection(apiVersion, kind, namespace, Scope.LIST);
    }

    private enum Scope {
        LIST, WRITE
    }

    private String collection(String apiVersion, String kind, String namespace, Scope scope) {
        Resource resource = resource(apiVersion, kind);
        StringBuilder path = new StringBuilder(root(apiVersion));
        if (resource.namespaced && !(scope == Scope.LIST && namespace.isEmpty())) {
            path.append("/namespaces/").append(RawApi.encode(namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace));
        }
        return path.append('/').append(resource.plural).toString();
    }

    private Resource resource(String apiVersion, String kind) {
        Resource known = discovered.computeIfAbsent(apiVersion, this::discover).get(kind);
        if (known == null) {
            discovered.remove(apiVersion);
            throw new KubeException(404, "NotFound", false,
                    "the API server has no kind " + kind + " in " + apiVersion
                            + ": apply its CustomResourceDefinition first, or leave the object out");
        }
        return known;
    }

    private Map<String, Resource> discover(String apiVersion) {
        Map<String, Resource> kinds = new ConcurrentHashMap<>();
        for (JsonNode resource : api.getTree(root(apiVersion)).path("resources")) {
            String plural = Json.text(resource, "name");
            if (!plural.contains("/")) {
                kinds.put(Json.text(resource, "kind"), new Resource(plural, resource.path("namespaced").asBoolean(false)));
            }
        }
        return kinds;
    }

    private static String root(String apiVersion) {
        return apiVersion.contains("/") ? "/apis/" + apiVersion : "/api/" + apiVersion;
    }
}

package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.sandbox.TypeRegistry.Served;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * /openapi/v3: the operations, with the parameters that `kubectl` looks up before it validates or dry-runs on the server. Built-in types have no schema here,
 * custom ones that of their definition. Strategic merge patch is not named among the patch types, so `kubectl apply` takes the merge keys it has built in.
 */
final class OpenApi {
    private final TypeRegistry types;
    private final Discovery discovery;

    OpenApi(TypeRegistry types, Discovery discovery) {
        this.types = types;
        this.discovery = discovery;
    }

    /** @param path below /openapi/v3 */
    Optional<ObjectNode> answer(List<String> path) {
        if (path.isEmpty()) {
            ObjectNode index = Trees.object();
            ObjectNode paths = index.putObject("paths");
            discovery.groupVersions().forEach((group, versions) -> versions.forEach(version -> {
                String name = root(group, version);
                paths.putObject(name).put("serverRelativeURL", "/openapi/v3/" + name);
            }));
            return Optional.of(index);
        }
        String group = path.getFirst().equals("api") ? "" : path.size() > 1 ? path.get(1) : "";
        String version = path.getLast();
        List<String> known = discovery.groupVersions().getOrDefault(group, List.of());
        return known.contains(version) && String.join("/", path).equals(root(group, version))
                ? Optional.of(document(group, version))
                : Optional.empty();
    }

    private static String root(String group, String version) {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }

    private ObjectNode document(String group, String version) {
        ObjectNode document = Trees.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "unversioned");
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (Served served : types.all()) {
            ResourceType type = served.type();
            if (type.group().equals(group) && type.versions().contains(version)) {
                operations(paths, type, version);
                served.rules().openApiSchema(version).ifPresent(schema -> {
                    schema.putArray("x-kubernetes-group-version-kind").add(kind(type, version));
                    schemas.set(schemaName(type, version), schema);
                });
            }
        }
        return document;
    }

    private static String schemaName(ResourceType type, String version) {
        List<String> parts = List.of(type.group().split("\\.", -1)).reversed();
        return String.join(".", parts) + "." + version + "." + type.kind();
    }

    private static ObjectNode kind(ResourceType type, String version) {
        return Trees.object().put("group", type.group()).put("kind", type.kind()).put("version", version);
    }

    private static void operations(ObjectNode paths, ResourceType type, String version) {
        String collection = "/" + root(type.group(), version) + (type.isNamespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        ObjectNode all = paths.putObject(collection);
        all.set("get", operation(type, version, "list", List.of()));
        all.set("post", operation(type, version, "post", List.of("dryRun", "fieldManager", "fieldValidation")));
        ObjectNode one = paths.putObject(collection + "/{name}");
        one.set("get", operation(type, version, "get", List.of()));
        one.set("put", operation(type, version, "put", List.of("dryRun", "fieldManager", "fieldValidation")));
        one.set("delete", operation(type, version, "delete", List.of("dryRun", "gracePeriodSeconds", "propagationPolicy")));
        ObjectNode patch = operation(type, version, "patch", List.of("dryRun", "fieldManager", "fieldValidation", "force"));
        ObjectNode content = patch.putObject("requestBody").putObject("content");
        for (String form : List.of("application/json-patch+json", "application/merge-patch+json")) {
            content.putObject(form).putObject("schema").put("type", "object");
        }
        one.set("patch", patch);
    }

    private static ObjectNode operation(ResourceType type, String version, String action, List<String> parameters) {
        ObjectNode operation = Trees.object().put("operationId", action + type.kind() + version);
        ArrayNode list = operation.putArray("parameters");
        Map<String, String> forms = Map.of("gracePeriodSeconds", "integer", "force", "boolean");
        for (String parameter : parameters) {
            list.addObject().put("name", parameter).put("in", "query").putObject("schema")
                    .put("type", forms.getOrDefault(parameter, "string"))
                    .put("uniqueItems", true);
        }
        operation.putObject("responses").putObject("200").put("description", "OK");
        operation.put("x-kubernetes-action", action);
        operation.set("x-kubernetes-group-version-kind", kind(type, version));
        return operation;
    }
}

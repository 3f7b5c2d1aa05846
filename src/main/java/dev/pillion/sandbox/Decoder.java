package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns a body into an object of the addressed type: kind and version must fit, members of wrong JSON types are refused, nulls of built-in types are dropped. */
final class Decoder {
    /** Types whose objects hold free JSON, where null is a value. */
    private static final Set<String> FREE = Set.of("controllerrevisions.apps", "customresourcedefinitions.apiextensions.k8s.io");

    /** Types all of whose lists are left out when empty. */
    private static final Set<String> EMPTY_LISTS_GO = Set.of("pods", "deployments.apps", "replicasets.apps", "statefulsets.apps",
            "daemonsets.apps");
    /** Members that map names to texts: null there is the empty text. */
    private static final Set<String> TEXT_MAPS = Set.of("data", "labels", "annotations", "matchLabels", "nodeSelector");

    private Decoder() {
    }

    static ObjectNode decode(Target target, JsonNode body, WriteOptions options) {
        ResourceType type = target.type();
        String apiVersion = type.apiVersion(target.version());
        if (!(body instanceof ObjectNode object)) {
            throw ApiError.badRequest("the object provided is unrecognized (must be of type " + type.kind()
                    + "): couldn't get version/kind; json parse error: json: cannot unmarshal " + word(body)
                    + " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }");
        }
        String kind = Trees.text(object, "kind");
        String version = Trees.text(object, "apiVersion");
        if (type.isCustom() && (kind.isEmpty() || version.isEmpty())) {
            throw ApiError.badRequest(
                    "the object provided is unrecognized (must be of type " + type.kind() + "): Object 'Kind' is missing in '" + object
                            + "' (" + object + ")");
        }
        if ((!kind.isEmpty() && !kind.equals(type.kind())) || (!version.isEmpty() && !version.equals(apiVersion))) {
            String given = version.substring(version.indexOf('/') + 1);
            throw ApiError
                    .badRequest((kind.isEmpty() ? type.kind() : kind) + " in version \"" + (given.isEmpty() ? target.version() : given)
                            + "\" cannot be handled as a " + type.kind() + ": converting (" + given + "." + kind + ") to ("
                            + (type.group().isEmpty() ? "core" : type.group().replaceFirst("\\..*", "")) + "." + type.kind()
                            + "): unknown conversion");
        }
        object.put("kind", type.kind()).put("apiVersion", apiVersion);
        checkShape(target, object);
        tidy(type, object);
        List<String> problems = target.rules().applySchema(object, target.version());
        if (!problems.isEmpty()) {
            report(type, problems, options);
        }
        return object;
    }

    /** What a typed server makes of nulls, and of empty lists and maps that it leaves out. */
    static void tidy(ResourceType type, ObjectNode object) {
        if (!type.isCustom() && !FREE.contains(type.qualifiedName())) {
            tidy(object, EMPTY_LISTS_GO.contains(type.qualifiedName()));
        }
        tidyMetadata(object);
    }

    private static void report(ResourceType type, List<String> problems, WriteOptions options) {
        switch (options.validation()) {
            case STRICT -> throw ApiError.badRequest(type.kind() + " in version \"" + type.storedVersion() + "\" cannot be handled as a "
                    + type.kind() + ": strict decoding error: " + String.join(", ", problems));
            case WARN -> problems.forEach(options.warnings());
            case IGNORE -> {
                // the client asked for silence
            }
        }
    }

    /** The JSON types of the members that everything else relies on. */
    private static void checkShape(Target target, ObjectNode object) {
        List<String> wrong = new ArrayList<>();
        JsonNode metadata = object.path("metadata");
        expect(metadata, "metadata", JsonNode::isObject, "object", wrong);
        for (String member : List.of("name", "generateName", "namespace", "uid", "resourceVersion")) {
            expect(metadata.path(member), "metadata." + member, JsonNode::isString, "string", wrong);
        }
        for (String member : List.of("labels", "annotations")) {
            JsonNode map = metadata.path(member);
            expect(map, "metadata." + member, JsonNode::isObject, "map[string]string", wrong);
            map.properties()
                    .forEach(entry -> expect(entry.getValue(), "ObjectMeta.metadata." + member, JsonNode::isString, "string", wrong));
        }
        for (String member : List.of("finalizers", "ownerReferences")) {
            expect(metadata.path(member), "metadata." + member, JsonNode::isArray, "slice", wrong);
        }
        if (target.type().qualifiedName().equals("configmaps")) {
            object.path("data").properties()
                    .forEach(entry -> expect(entry.getValue(), "ConfigMap.data", JsonNode::isString, "string", wrong));
        }
        if (!target.type().isCustom()) {
            if (!target.type().plural().equals("events")) {
                expect(object.path("spec"), "spec", JsonNode::isObject, "object", wrong);
            }
            String root = target.type().plural().equals("pods") ? "spec" : "spec.template.spec";
            JsonNode pod = Trees.at(object, root.split("\\.", -1));
            for (String list : List.of("containers", "initContainers", "volumes")) {
                expect(pod.path(list), root + "." + list, JsonNode::isArray, "slice", wrong);
                pod.path(list).forEach(entry -> expect(entry, root + "." + list, JsonNode::isObject, "object", wrong));
            }
        }
        if (!wrong.isEmpty()) {
            throw ApiError.badRequest(target.type().kind() + " in version \"" + target.version() + "\" cannot be handled as a "
                    + target.type().kind() + ": json: cannot unmarshal " + wrong.getFirst());
        }
    }

    private static void expect(JsonNode value, String path, java.util.function.Predicate<JsonNode> form, String goType,
            List<String> wrong) {
        if (!Trees.isAbsent(value) && !form.test(value)) {
            wrong.add(word(value) + " into Go struct field " + path + " of type " + goType);
        }
    }

    private static String word(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            case STRING -> "string";
            default -> "object";
        };
    }

    /** What a typed server makes of nulls and of empty lists and maps that it leaves out. */
    private static void tidy(ObjectNode object, boolean emptyListsGo) {
        drop(object, emptyListsGo);
    }

    /** Empty maps and lists of the metadata are left out, whatever the type. */
    private static void tidyMetadata(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            for (String member : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
                if (metadata.has(member) && metadata.path(member).isEmpty()) {
                    metadata.remove(member);
                }
            }
        }
    }

    private static void drop(JsonNode node, boolean emptyListsGo) {
        switch (node) {
            case ObjectNode object -> {
                for (String member : List.copyOf(object.propertyNames())) {
                    JsonNode value = object.path(member);
                    if (value.isNull() || (emptyListsGo && value.isArray() && value.isEmpty())) {
                        object.remove(member);
                    } else {
                        if (value instanceof ObjectNode texts && TEXT_MAPS.contains(member)) {
                            for (String key : List.copyOf(texts.propertyNames())) {
                                if (texts.path(key).isNull()) {
                                    texts.put(key, "");
                                }
                            }
                        }
                        drop(value, emptyListsGo);
                    }
                }
            }
            case ArrayNode list -> list.forEach(entry -> drop(entry, emptyListsGo));
            default -> {
                // a plain value
            }
        }
    }
}

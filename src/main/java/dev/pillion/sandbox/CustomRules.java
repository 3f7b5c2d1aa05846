package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of a custom type: everything is read from its CustomResourceDefinition. */
final class CustomRules implements TypeRules {
    private final ObjectNode definition;
    private final Map<String, Schema> schemas;
    private final Conversion conversion;

    /** @param definition the CustomResourceDefinition, not changed any more */
    CustomRules(ObjectNode definition, Conversion conversion) {
        this.definition = definition;
        this.conversion = conversion;
        Map<String, Schema> byVersion = new TreeMap<>();
        definition.at("/spec/versions").forEach(
                version -> byVersion.put(Trees.text(version, "name"), new Schema(Trees.at(version, "schema", "openAPIV3Schema"))));
        this.schemas = Map.copyOf(byVersion);
    }

    Schema schema(String version) {
        return schemas.getOrDefault(version, new Schema(Trees.object().path("none")));
    }

    /** additionalPrinterColumns of the version. */
    JsonNode columns(String version) {
        for (JsonNode one : definition.at("/spec/versions")) {
            if (version.equals(Trees.text(one, "name"))) {
                return one.path("additionalPrinterColumns");
            }
        }
        return Trees.array();
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.GENERATION);
    }

    @Override
    public List<String> applySchema(ObjectNode object, String version) {
        List<String> unknown = new ArrayList<>();
        for (String path : SchemaPruning.prune(object, schema(version)).stream().sorted().toList()) {
            unknown.add("unknown field \"" + path + "\"");
        }
        return unknown;
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        SchemaDefaults.apply(object, schema(version));
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        return SchemaCheck.check(object, schema(versionOf(object)));
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }

    @Override
    public List<Cause> validateStatus(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }

    /** Only while one version has ever been stored can the bytes be taken for what they are. */
    @Override
    public boolean isStoredForm(ResourceType type, String version) {
        JsonNode stored = definition.at("/status/storedVersions");
        return stored.size() == 1 && stored.get(0).stringValue("").equals(version);
    }

    @Override
    public List<ObjectNode> fromStored(ResourceType type, List<ObjectNode> objects, String version) {
        // One call per stored version; the answers go back to the places of their originals.
        Map<String, List<ObjectNode>> byVersion = new TreeMap<>();
        List<String> versions = objects.stream().map(CustomRules::versionOf).toList();
        for (int i = 0; i < objects.size(); i++) {
            byVersion.computeIfAbsent(versions.get(i), _ -> new ArrayList<>()).add(objects.get(i));
        }
        Map<String, Iterator<ObjectNode>> answers = new TreeMap<>();
        byVersion.forEach((from, ofOne) -> answers.put(from, converted(type, ofOne, version).iterator()));
        return versions.stream().map(from -> Objects.requireNonNull(answers.get(from)).next()).toList();
    }

    @Override
    public ObjectNode toStored(ResourceType type, ObjectNode object, String version) {
        return converted(type, List.of(object), type.storedVersion()).getFirst();
    }

    private List<ObjectNode> converted(ResourceType type, List<ObjectNode> objects, String version) {
        List<ObjectNode> converted = conversion.convert(definition.at("/spec/conversion"), type.kind(), objects, type.apiVersion(version));
        converted.forEach(object -> SchemaPruning.prune(object, schema(version)));
        return converted;
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        Map<String, List<String>> fields = new TreeMap<>();
        for (JsonNode version : definition.at("/spec/versions")) {
            version.path("selectableFields").forEach(field -> {
                String path = Trees.text(field, "jsonPath").replaceFirst("^\\.", "");
                fields.put(path, List.of(path.split("\\.", -1)));
            });
        }
        return Map.copyOf(fields);
    }

    @Override
    public Optional<ObjectNode> openApiSchema(String version) {
        if (!(schema(version).node() instanceof ObjectNode own)) {
            return Optional.empty();
        }
        ObjectNode shown = own.deepCopy();
        ObjectNode properties = Trees.child(shown, "properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.putObject("metadata").putArray("allOf").addObject().put("$ref",
                "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        ObjectNode kind = shown.putArray("x-kubernetes-group-version-kind").addObject();
        kind.put("group", Trees.text(definition, "spec", "group")).put("kind", Trees.text(definition, "spec", "names", "kind"))
                .put("version", version);
        return Optional.of(shown);
    }

    private static String versionOf(ObjectNode object) {
        String apiVersion = Trees.text(object, "apiVersion");
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
}

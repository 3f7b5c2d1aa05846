package dev.pillion.sandbox;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.pillion.sandbox.ResourceType.Origin;
import dev.pillion.sandbox.ResourceType.Scope;
import dev.pillion.sandbox.ResourceType.Subresource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns CustomResourceDefinitions into served types as they are committed: accepts the names, establishes the type, and with the definition
 * removes its objects. A real server does the same a moment later; clients that wait for Established see no difference.
 */
final class CustomTypes {
    static final String STORE = "customresourcedefinitions.apiextensions.k8s.io";
    private final ObjectStore store;
    private final TypeRegistry registry;
    private final Conversion conversion;
    private final InstantSource clock;

    CustomTypes(ObjectStore store, TypeRegistry registry, Conversion conversion, InstantSource clock) {
        this.store = store;
        this.registry = registry;
        this.conversion = conversion;
        this.clock = clock;
    }

    /** Starts to follow the store. */
    void follow() {
        store.onCommit(change -> {
            if (change.store().equals(STORE)) {
                ObjectNode definition = change.object().tree();
                if (change.kind() == Change.Kind.DELETED) {
                    forget(definition);
                } else {
                    serve(change.object(), definition);
                }
            }
        });
    }

    private void serve(Stored stored, ObjectNode definition) {
        registry.put(new TypeRegistry.Served(type(definition), new CustomRules(definition, conversion)));
        if (Trees.at(definition, "status", "acceptedNames").equals(Trees.at(definition, "spec", "names"))) {
            return;
        }
        ObjectNode next = definition.deepCopy();
        ObjectNode status = Trees.child(next, "status");
        status.set("acceptedNames", Trees.at(next, "spec", "names").deepCopy());
        ArrayNode conditions = status.putArray("conditions");
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found", now);
        condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted", now);
        // A newer write has its own commit and comes here again.
        store.update(STORE, stored, next);
    }

    private void forget(ObjectNode definition) {
        ResourceType type = type(definition);
        registry.remove(type.qualifiedName());
        for (Stored object : store.list(type.store(), "").objects()) {
            store.delete(type.store(), object, object.tree());
        }
    }

    private static void condition(ArrayNode conditions, String name, String reason, String message, String now) {
        conditions.addObject().put("type", name).put("status", "True").put("lastTransitionTime", now).put("reason", reason).put("message",
                message);
    }

    private static ResourceType type(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        JsonNode names = spec.path("names");
        List<String> served = new ArrayList<>();
        String stored = "";
        Set<Subresource> subresources = EnumSet.noneOf(Subresource.class);
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").booleanValue(false)) {
                served.add(Trees.text(version, "name"));
            }
            if (version.path("storage").booleanValue(false)) {
                stored = Trees.text(version, "name");
            }
            if (version.path("subresources").has("status")) {
                subresources.add(Subresource.STATUS);
            }
            if (version.path("subresources").has("scale")) {
                subresources.add(Subresource.SCALE);
            }
        }
        served.sort(VersionOrder.NEWEST_FIRST);
        String group = Trees.text(spec, "group");
        String plural = Trees.text(names, "plural");
        return new ResourceType(group, served, stored, Trees.text(names, "kind"), Trees.text(names, "listKind"), plural,
                Trees.text(names, "singular"),
                texts(names.path("shortNames")), texts(names.path("categories")),
                "Namespaced".equals(Trees.text(spec, "scope")) ? Scope.NAMESPACED : Scope.CLUSTER, Origin.CUSTOM, subresources,
                plural + "." + group);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.stringValue("")));
        return texts;
    }
}

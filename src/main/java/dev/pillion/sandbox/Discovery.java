package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.sandbox.ResourceType.Subresource;
import dev.pillion.sandbox.TypeRegistry.Served;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** /api, /apis and what lies below them, from the types served now. Always the plain form: clients that ask for the aggregated one fall back to it. */
final class Discovery {
    private static final List<String> REVIEWS = List.of("SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview");
    private final TypeRegistry types;

    Discovery(TypeRegistry types) {
        this.types = types;
    }

    /** Empty when the path is none of discovery's. */
    Optional<ObjectNode> answer(List<String> path) {
        if (path.equals(List.of("api"))) {
            ObjectNode versions = Trees.object().put("kind", "APIVersions");
            versions.putArray("versions").add("v1");
            versions.putArray("serverAddressByClientCIDRs");
            return Optional.of(versions);
        }
        if (path.equals(List.of("api", "v1"))) {
            return Optional.of(resources("", "v1"));
        }
        if (path.equals(List.of("apis"))) {
            ObjectNode list = Trees.object().put("kind", "APIGroupList").put("apiVersion", "v1");
            ArrayNode groups = list.putArray("groups");
            groupVersions().forEach((group, versions) -> {
                if (!group.isEmpty()) {
                    groups.add(group(group, versions));
                }
            });
            return Optional.of(list);
        }
        if (path.size() == 2 && path.getFirst().equals("apis")) {
            return Optional.ofNullable(groupVersions().get(path.get(1)))
                    .map(versions -> group(path.get(1), versions).put("kind", "APIGroup").put("apiVersion", "v1"));
        }
        if (path.size() == 3 && path.getFirst().equals("apis")) {
            return Optional.ofNullable(groupVersions().get(path.get(1))).filter(versions -> versions.contains(path.get(2)))
                    .map(_ -> resources(path.get(1), path.get(2)));
        }
        return Optional.empty();
    }

    /** Whether any type is served there. */
    boolean knows(String group, String version) {
        return types.all().stream().anyMatch(served -> served.type().group().equals(group) && served.type().versions().contains(version));
    }

    /** All groups with their versions, most preferred first; "" is core. */
    Map<String, List<String>> groupVersions() {
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        for (Served served : types.all()) {
            groups.computeIfAbsent(served.type().group(), _ -> new LinkedHashSet<>()).addAll(served.type().versions());
        }
        groups.put("authorization.k8s.io", Set.of("v1"));
        Map<String, List<String>> result = new LinkedHashMap<>();
        groups.forEach((group, versions) -> result.put(group, versions.stream().sorted(VersionOrder.NEWEST_FIRST).toList()));
        return result;
    }

    private static ObjectNode group(String name, List<String> versions) {
        ObjectNode group = Trees.object().put("name", name);
        ArrayNode list = group.putArray("versions");
        for (String version : versions) {
            list.addObject().put("groupVersion", name + "/" + version).put("version", version);
        }
        group.putObject("preferredVersion").put("groupVersion", name + "/" + versions.getFirst()).put("version", versions.getFirst());
        return group;
    }

    private ObjectNode resources(String group, String version) {
        ObjectNode list = Trees.object().put("kind", "APIResourceList").put("apiVersion", "v1").put("groupVersion",
                group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (Served served : types.all()) {
            ResourceType type = served.type();
            if (type.group().equals(group) && type.versions().contains(version)) {
                resources.add(resource(type));
                type.subresources().stream().sorted().forEach(subresource -> resources.add(subresource(type, subresource)));
            }
        }
        if (group.equals("authorization.k8s.io")) {
            for (String kind : REVIEWS) {
                String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
                ObjectNode review = resources.addObject().put("name", plural).put("singularName", kind.toLowerCase(java.util.Locale.ROOT))
                        .put("namespaced", false).put("kind", kind);
                review.putArray("verbs").add("create");
            }
        }
        return list;
    }

    private static ObjectNode resource(ResourceType type) {
        ObjectNode resource = Trees.object().put("name", type.plural()).put("singularName", type.singular())
                .put("namespaced", type.isNamespaced()).put("kind", type.kind());
        List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch").forEach(resource.putArray("verbs")::add);
        if (!type.shortNames().isEmpty()) {
            type.shortNames().forEach(resource.putArray("shortNames")::add);
        }
        if (!type.categories().isEmpty()) {
            type.categories().forEach(resource.putArray("categories")::add);
        }
        return resource;
    }

    private static ObjectNode subresource(ResourceType type, Subresource subresource) {
        ObjectNode resource = Trees.object().put("name", type.plural() + "/" + subresource.path()).put("singularName", "").put("namespaced",
                type.isNamespaced());
        List<String> verbs = new ArrayList<>(List.of("get", "patch", "update"));
        switch (subresource) {
            case SCALE -> resource.put("group", "autoscaling").put("version", "v1").put("kind", "Scale");
            case EVICTION -> {
                resource.put("group", "policy").put("version", "v1").put("kind", "Eviction");
                verbs = List.of("create");
            }
            case BINDING -> {
                resource.put("kind", "Binding");
                verbs = List.of("create");
            }
            case FINALIZE -> {
                resource.put("kind", type.kind());
                verbs = List.of("update");
            }
            case STATUS, EPHEMERAL_CONTAINERS, RESIZE -> resource.put("kind", type.kind());
        }
        verbs.forEach(resource.putArray("verbs")::add);
        return resource;
    }
}

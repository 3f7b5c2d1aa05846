package dev.pillion.sandbox;

import java.util.List;
import java.util.Set;

/**
 * One kind of object that the sandbox serves.
 *
 * @param group API group, "" for core
 * @param versions served versions, most preferred first
 * @param storedVersion version of the stored bytes
 * @param plural name in the path, such as "pods"
 * @param store name of the shelf in the ObjectStore; two types with one store show the same objects (the two event groups)
 */
record ResourceType(String group, List<String> versions, String storedVersion, String kind, String listKind, String plural, String singular,
        List<String> shortNames, List<String> categories, Scope scope, Origin origin, Set<Subresource> subresources, String store) {

    /** Whether objects live in namespaces. */
    enum Scope {
        NAMESPACED, CLUSTER
    }

    /** Whether the type is part of Kubernetes or came with a CustomResourceDefinition. */
    enum Origin {
        BUILT_IN, CUSTOM
    }

    /** Second-level paths of an object. */
    enum Subresource {
        STATUS("status"), SCALE("scale"), BINDING("binding"), EVICTION("eviction"), EPHEMERAL_CONTAINERS("ephemeralcontainers"), RESIZE(
                "resize"), FINALIZE("finalize");

        private final String path;

        Subresource(String path) {
            this.path = path;
        }

        String path() {
            return path;
        }
    }

    ResourceType {
        versions = List.copyOf(versions);
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        subresources = Set.copyOf(subresources);
        if (!versions.contains(storedVersion) && origin == Origin.BUILT_IN) {
            throw new IllegalArgumentException("stored version " + storedVersion + " is not served for " + plural);
        }
    }

    boolean isNamespaced() {
        return scope == Scope.NAMESPACED;
    }

    boolean isCustom() {
        return origin == Origin.CUSTOM;
    }

    boolean has(Subresource subresource) {
        return subresources.contains(subresource);
    }

    /** "v1" or "apps/v1". */
    String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** "pods" or "deployments.apps": the name in messages and the key in the registry. */
    String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}

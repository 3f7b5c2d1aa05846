package dev.pillion.sandbox;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The types served now: the built-in ones and those of CustomResourceDefinitions, which come and go at run time. Safe for all threads. */
final class TypeRegistry {

    /** A type with its rules. */
    record Served(ResourceType type, TypeRules rules) {
    }

    private volatile Map<String, Served> byName = Map.of();

    TypeRegistry(Collection<Served> builtIn) {
        builtIn.forEach(this::put);
    }

    /** Adds a type or replaces the one of the same group and plural. */
    synchronized void put(Served served) {
        Map<String, Served> next = new LinkedHashMap<>(byName);
        next.put(served.type().qualifiedName(), served);
        byName = next;
    }

    synchronized void remove(String qualifiedName) {
        Map<String, Served> next = new LinkedHashMap<>(byName);
        next.remove(qualifiedName);
        byName = next;
    }

    /** Finds by "pods" or "deployments.apps". */
    Optional<Served> find(String qualifiedName) {
        return Optional.ofNullable(byName.get(qualifiedName));
    }

    /** Finds what a path of the API names; empty also when the version is not served. */
    Optional<Served> find(String group, String version, String plural) {
        return find(group.isEmpty() ? plural : plural + "." + group).filter(served -> served.type().versions().contains(version));
    }

    /** Finds by the kind that an object names. */
    Optional<Served> findKind(String apiVersion, String kind) {
        return all().stream()
                .filter(served -> served.type().kind().equals(kind)
                        && served.type().versions().stream().anyMatch(version -> served.type().apiVersion(version).equals(apiVersion)))
                .findFirst();
    }

    List<Served> all() {
        return List.copyOf(byName.values());
    }
}

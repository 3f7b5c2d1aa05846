package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a type does with its objects beyond the general rules of the REST layer: defaults, checks, conversion between versions.
 * Objects are trees that the caller owns; methods named "apply" and "prepare" change them in place.
 * The general rules (metadata, status separation, generation, finalizers) are in Writes.
 */
interface TypeRules {

    /** Peculiarities of a type that the REST layer asks for. */
    enum Trait {
        /** metadata.generation counts changes of the spec. */
        GENERATION,
        /** Generation counts changes of annotations too (Deployments). */
        GENERATION_BY_ANNOTATIONS,
        /** A PUT without resourceVersion overwrites. */
        UNCONDITIONAL_UPDATE,
        /** A PUT of an object that is not there creates it (Leases). */
        CREATE_ON_UPDATE,
        /** DELETE answers the object, not a Status. */
        ANSWERS_DELETED,
        /** DELETE marks first, somebody else removes (pods). */
        GRACEFUL_DELETE
    }

    default Set<Trait> traits() {
        return Set.of(Trait.UNCONDITIONAL_UPDATE);
    }

    /** Problems of decoding that parameter fieldValidation reports, such as `unknown field "spec.foo"`. The object is pruned in place where a real server drops fields. */
    default List<String> applySchema(ObjectNode object, String version) {
        return List.of();
    }

    /** Fills in defaults; runs after decoding, after a patch and after every mutating admission call. */
    default void applyDefaults(ObjectNode object, String version) {
    }

    /** Drops or sets what the server decides at creation. */
    default void prepareCreate(ObjectNode object) {
    }

    /** Restores what an update of the main resource cannot change. Status is already the old one where the type has the subresource. */
    default void prepareUpdate(ObjectNode object, ObjectNode old) {
    }

    default List<Cause> validateCreate(ObjectNode object) {
        return List.of();
    }

    default List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return List.of();
    }

    default List<Cause> validateStatus(ObjectNode object, ObjectNode old) {
        return List.of();
    }

    /** Whether the stored bytes can be shown as they are in this version; then lists and watches don't parse them. */
    default boolean isStoredForm(ResourceType type, String version) {
        return version.equals(type.storedVersion());
    }

    /** Stored objects as the version shows them. The trees may be changed in place. May call a conversion webhook: takes many at once. */
    default List<ObjectNode> fromStored(ResourceType type, List<ObjectNode> objects, String version) {
        for (ObjectNode object : objects) {
            object.put("apiVersion", type.apiVersion(version)).put("kind", type.kind());
        }
        return objects;
    }

    /** An object of a served version in its stored form. The tree may be changed in place. */
    default ObjectNode toStored(ResourceType type, ObjectNode object, String version) {
        return object.put("apiVersion", type.apiVersion(type.storedVersion())).put("kind", type.kind());
    }

    /** Fields that fieldSelector may name, besides metadata.name and metadata.namespace, with the path of members to the value. */
    default Map<String, List<String>> selectableFields() {
        return Map.of();
    }

    /** The schema for /openapi/v3, when there is one to show. */
    default Optional<ObjectNode> openApiSchema(String version) {
        return Optional.empty();
    }

    /** Only the general rules. */
    TypeRules PLAIN = new TypeRules() {
    };
}

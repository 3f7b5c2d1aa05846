package dev.pillion.sandbox;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/** Field ownership: server-side apply, and the book-keeping of managedFields for all other writes. */
interface ApplyPatch {

    /** Whether an apply takes fields away from other managers. */
    enum Conflicts {
        REFUSE, FORCE
    }

    /**
     * Who applies.
     *
     * @param name the field manager, never empty for an apply
     * @param subresource "" or the path of the subresource
     */
    record Owner(String name, String subresource) {
    }

    /** Merges an applied configuration into the live object (absent: creates). Throws ApiError 409 with its causes on conflicts. */
    ObjectNode apply(ResourceType type, String version, @Nullable ObjectNode live, ObjectNode configuration, Owner owner,
            Conflicts conflicts);

    /** Notes the owner of a create, update or patch in place, in `metadata.managedFields` of the new object. */
    void note(ResourceType type, String version, @Nullable ObjectNode live, ObjectNode now, Owner owner);

    /** No field ownership: apply patches are refused with 415, nothing is noted. */
    ApplyPatch NONE = new ApplyPatch() {
        @Override
        public ObjectNode apply(ResourceType type, String version, @Nullable ObjectNode live, ObjectNode configuration, Owner owner,
                Conflicts conflicts) {
            throw ApiError.unsupportedMediaType(java.util.List.of("application/json-patch+json",
                    "application/merge-patch+json", "application/strategic-merge-patch+json"));
        }

        @Override
        public void note(ResourceType type, String version, @Nullable ObjectNode live, ObjectNode now, Owner owner) {
            // nothing to note
        }
    };
}

package dev.pillion.inject;

import tools.jackson.databind.node.ObjectNode;

/**
 * One admission request about a Pod.
 *
 * @param operation CREATE, UPDATE, ... as in the review
 * @param subResource "" when there is none
 * @param namespace of the request; stands in for a missing metadata.namespace (injection.md 3, FR-06)
 * @param pod the object as it came, never bound to a model and never changed
 * @param hasOldObject whether the review carries one; only the reference's UPDATE path asks
 * @param dryRun changes nothing in the answer (FR-24); for the caller's counters and events
 */
public record InjectRequest(String operation, String subResource, String namespace, String name, ObjectNode pod, boolean hasOldObject,
        boolean dryRun, LiveAnswers answers, Moment moment) {

    /** The common case: a create without sub-resource. */
    public static InjectRequest create(String namespace, String name, ObjectNode pod, Moment moment) {
        return new InjectRequest("CREATE", "", namespace, name, pod, false, false, LiveAnswers.NONE, moment);
    }

    public InjectRequest with(LiveAnswers read) {
        return new InjectRequest(operation, subResource, namespace, name, pod, hasOldObject, dryRun, read, moment);
    }
}

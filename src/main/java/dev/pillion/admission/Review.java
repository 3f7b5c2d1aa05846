package dev.pillion.admission;

import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/**
 * The request of an AdmissionReview, as far as the webhooks read it. Texts are "" when absent.
 *
 * @param apiVersion of the review, admission.k8s.io/v1 or v1beta1
 * @param kindVersion version of request.kind, such as v1beta1
 * @param kind request.kind.kind
 * @param object request.object; empty on DELETE
 */
record Review(String apiVersion, String uid, String operation, String kindVersion, String kind, String resource, String subResource,
        String namespace, String name, DryRun dryRun, Optional<ObjectNode> object, Optional<ObjectNode> oldObject) {

    /** Whether the write is only tried: then nothing may remain of the review, not even a count. */
    enum DryRun {
        YES, NO
    }
}

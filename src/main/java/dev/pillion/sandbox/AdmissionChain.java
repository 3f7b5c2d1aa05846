package dev.pillion.sandbox;

import tools.jackson.databind.node.ObjectNode;

/**
 * What every write passes before it is stored. Called on virtual threads, outside of the store's lock, so it may block on calls of webhooks.
 * A patch that meets a conflict is computed again and passes again, as on a real API server.
 */
interface AdmissionChain {

    /** Mutating part: sees the defaulted object without uid (and, with generateName, without name) and answers the object to go on with. Throws ApiError to refuse. */
    ObjectNode mutate(AdmissionAttributes attributes);

    /** Validating part: sees the object as it will be stored. Throws ApiError to refuse. */
    void validate(AdmissionAttributes attributes);

    /** Lets everything pass unchanged. */
    AdmissionChain NONE = new AdmissionChain() {
        @Override
        public ObjectNode mutate(AdmissionAttributes attributes) {
            return attributes.objectOrEmpty();
        }

        @Override
        public void validate(AdmissionAttributes attributes) {
            // nothing to refuse
        }
    };
}

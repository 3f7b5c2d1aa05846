package dev.pillion.sandbox;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/**
 * One write on its way through admission.
 *
 * @param version version of the request, in which object and oldObject are given
 * @param name "" when a name will be generated
 * @param subresource "" for the main resource, else its path such as "status"
 * @param object absent for DELETE
 * @param oldObject absent for CREATE
 * @param options the CreateOptions, UpdateOptions, PatchOptions or DeleteOptions
 * @param warnings takes texts for Warning headers of the answer
 */
record AdmissionAttributes(Operation operation, ResourceType type, String version, String namespace, String name, String subresource,
        @Nullable ObjectNode object, @Nullable ObjectNode oldObject, ObjectNode options, Persistence persistence, Caller caller,
        Consumer<String> warnings) {

    /** What is being done. */
    enum Operation {
        CREATE, UPDATE, DELETE, CONNECT
    }

    /** Whether the write is stored in the end. */
    enum Persistence {
        STORED, DRY_RUN
    }

    ObjectNode objectOrEmpty() {
        return object == null ? Trees.object() : object;
    }

    AdmissionAttributes withObject(ObjectNode other) {
        return new AdmissionAttributes(operation, type, version, namespace, name, subresource, other, oldObject, options, persistence,
                caller, warnings);
    }
}

package dev.pillion.revision;

import java.util.List;

import dev.pillion.api.PatchOp;

import tools.jackson.databind.node.ObjectNode;

/** Answer of the mutating SidecarSet webhook (validation.md 3). */
public sealed interface Defaulting {

    /** The object cannot be decoded. */
    record Refuse(int code, String message) implements Defaulting {
    }

    /** The operations that give the object its defaults and hashes, and the object they lead to. */
    record Patch(List<PatchOp> operations, ObjectNode object) implements Defaulting {
        public Patch {
            operations = List.copyOf(operations);
        }
    }

    /** Nothing to change. */
    record Unchanged() implements Defaulting {
    }
}

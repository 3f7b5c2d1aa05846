package dev.pillion.inject;

import tools.jackson.databind.node.ObjectNode;

/** A container ready for the pod. */
record Built(String set, ObjectNode container, Place place) {
    /** Where it goes when the pod has none of its name (injection.md 7.6). */
    enum Place {
        BEFORE, AFTER
    }

    String name() {
        return Parts.name(container);
    }
}

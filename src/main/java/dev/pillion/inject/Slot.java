package dev.pillion.inject;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One place of the final list of containers. */
sealed interface Slot {
    /** An element of the pod that stays, at its index in the submitted list. */
    record Own(int index, JsonNode container) implements Slot {
        @Override
        public String set() {
            return "";
        }
    }

    /** An element of the pod that a sidecar takes the place of. */
    record Replaced(String set, int index, JsonNode before, ObjectNode container) implements Slot {
    }

    /** A new element, in front of the submitted list or behind it. */
    record Added(String set, Built.Place place, ObjectNode container) implements Slot {
    }

    JsonNode container();

    /** The SidecarSet that the container comes from now; "" for one that the pod was submitted with. */
    String set();
}

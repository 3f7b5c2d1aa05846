package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Order of a merged list. Entries that the patch names come in the patch's order, the others in the order they had; the two rows are joined so that an entry
 * of the second goes first only if it stood before the head of the first row in the old list. Hence a new entry comes first, and naming two entries in another
 * order than the object's moves them.
 */
final class ListOrder {
    private final String key;

    /** @param key merge key of the entries, "" for plain values */
    ListOrder(String key) {
        this.key = key;
    }

    /**
     * Arranges a list.
     *
     * @param named entries that count as named by the patch
     * @param wanted the order of those
     * @param before the list before the patch
     */
    ArrayNode arrange(ArrayNode merged, ArrayNode named, ArrayNode wanted, ArrayNode before) {
        List<JsonNode> fromPatch = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode entry : merged) {
            (position(named, entry) >= 0 ? fromPatch : others).add(entry);
        }
        sort(fromPatch, wanted);
        sort(others, before);
        ArrayNode result = Trees.array();
        int left = 0;
        int right = 0;
        while (left < others.size() && right < fromPatch.size()) {
            int leftWas = position(before, others.get(left));
            int rightWas = position(before, fromPatch.get(right));
            if (leftWas >= 0 && rightWas >= 0 && leftWas < rightWas) {
                result.add(others.get(left++));
            } else {
                result.add(fromPatch.get(right++));
            }
        }
        others.subList(left, others.size()).forEach(result::add);
        fromPatch.subList(right, fromPatch.size()).forEach(result::add);
        return result;
    }

    /** The position of the entry with the same key, or -1. */
    int position(ArrayNode list, JsonNode entry) {
        JsonNode wanted = id(entry);
        for (int i = 0; i < list.size(); i++) {
            if (id(list.path(i)).equals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    private void sort(List<JsonNode> entries, ArrayNode order) {
        entries.sort(Comparator.comparingInt(entry -> {
            int at = position(order, entry);
            return at < 0 ? Integer.MAX_VALUE : at;
        }));
    }

    private JsonNode id(JsonNode entry) {
        return key.isEmpty() ? entry : entry.path(key);
    }
}

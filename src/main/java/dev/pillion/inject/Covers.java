package dev.pillion.inject;

import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * Whether an injected container still is what would be injected, apart from what the API server and other injectors added: members,
 * env, mounts (FR-20). Lists of plain values must be equal.
 */
final class Covers {
    private Covers() {
    }

    static boolean covers(JsonNode existing, JsonNode wanted) {
        if (wanted.isObject()) {
            if (!existing.isObject()) {
                return false;
            }
            for (Map.Entry<String, JsonNode> member : wanted.properties()) {
                if (!covers(existing.path(member.getKey()), member.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (wanted.isArray()) {
            return wanted.path(0).isObject() ? coversInOrder(existing, wanted) : isSame(existing, wanted);
        }
        return isSame(existing, wanted);
    }

    private static boolean isSame(JsonNode existing, JsonNode wanted) {
        return existing.equals(wanted) || (Parts.isAbsent(existing) && (wanted.isNull() || (wanted.isArray() && wanted.isEmpty())));
    }

    private static boolean coversInOrder(JsonNode existing, JsonNode wanted) {
        int next = 0;
        for (JsonNode item : existing) {
            if (next < wanted.size() && covers(item, wanted.path(next))) {
                next++;
            }
        }
        return next == wanted.size();
    }
}

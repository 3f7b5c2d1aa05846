package dev.pillion.revision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.api.PatchOp;

import tools.jackson.databind.JsonNode;

/** The JSON Patch between an object and its defaulted form. Lists of both have equal lengths, so the walk is linear. */
final class TreePatch {
    private TreePatch() {
    }

    static List<PatchOp> between(JsonNode before, JsonNode after) {
        List<PatchOp> operations = new ArrayList<>();
        walk(before, after, "", operations);
        return operations;
    }

    private static void walk(JsonNode before, JsonNode after, String path, List<PatchOp> operations) {
        if (before.isObject() && after.isObject()) {
            for (Map.Entry<String, JsonNode> entry : after.properties()) {
                String member = path + "/" + PatchOp.escape(entry.getKey());
                if (before.has(entry.getKey())) {
                    walk(before.path(entry.getKey()), entry.getValue(), member, operations);
                } else {
                    operations.add(PatchOp.add(member, entry.getValue()));
                }
            }
            before.propertyNames().stream().filter(n -> !after.has(n))
                    .forEach(n -> operations.add(PatchOp.remove(path + "/" + PatchOp.escape(n))));
        } else if (before.isArray() && after.isArray() && before.size() == after.size()) {
            for (int i = 0; i < before.size(); i++) {
                walk(before.path(i), after.path(i), path + "/" + i, operations);
            }
        } else if (!before.equals(after)) {
            operations.add(PatchOp.replace(path, after));
        }
    }
}

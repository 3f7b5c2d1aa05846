package dev.pillion.inject;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.ExtendedJson;
import dev.pillion.api.Json;
import dev.pillion.api.TypedObject;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;

/** Reads parts of a pod's JSON; null counts as absent, as in the reference's decoder. */
final class Parts {
    private Parts() {
    }

    static String name(JsonNode object) {
        return Json.text(object, "name");
    }

    /** Whether the container carries the injection marker. */
    static boolean isMarked(JsonNode container) {
        if (!mayHaveEnv(container, Wire.IS_INJECTED)) {
            return false;
        }
        for (JsonNode env : container.path("env")) {
            if (name(env).equals(Wire.IS_INJECTED) && Json.text(env, "value").equals("true")) {
                return true;
            }
        }
        return false;
    }

    static boolean mayHaveEnv(JsonNode container, String name) {
        return mayHave(container, "env", name);
    }

    /** False: the list certainly has no element of this name, which is known without looking at each. */
    static boolean mayHave(JsonNode object, String list, String name) {
        return object instanceof TypedObject known ? known.last(list, "name", name) >= 0 : ExtendedJson.mayHave(object.path(list), name);
    }

    /** The last env of a name. */
    static Optional<JsonNode> lastEnv(JsonNode container, String name) {
        int last = container instanceof TypedObject known ? known.last("env", "name", name) : Integer.MAX_VALUE;
        if (last >= 0) {
            JsonNode env = container.path("env");
            for (int i = Math.min(last, env.size() - 1); i >= 0; i--) {
                if (name(env.path(i)).equals(name)) {
                    return Optional.of(env.path(i));
                }
            }
        }
        return Optional.empty();
    }

    static boolean isNative(JsonNode container) {
        return Json.text(container, "restartPolicy").equals("Always");
    }

    static boolean isAbsent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    /** A member that is a map of texts; empty when it is absent. */
    static Map<String, String> texts(JsonNode object, String member) {
        if (object instanceof TypedObject known) {
            return known.texts(member);
        }
        Map<String, String> map = new LinkedHashMap<>();
        object.path(member).properties().forEach(e -> map.put(e.getKey(), e.getValue().asString("")));
        return map;
    }
}

package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge patch, with its directives `$patch` (replace, delete), `$setElementOrder/x`, `$deleteFromPrimitiveList/x` and `$retainKeys`.
 *
 * 1. A map with `$patch: replace` is taken as it is, with `$patch: delete` becomes empty.
 * 2. `$retainKeys` drops all other members of the target.
 * 3. Lists with `$setElementOrder` are merged, then put in that order (ListOrder).
 * 4. Other members: null removes, objects are merged, lists with a merge key are merged entry by entry and ordered by the patch, all else replaces.
 */
final class StrategicMerge {
    private static final String DIRECTIVE = "$patch";
    private static final String RETAIN = "$retainKeys";
    private static final String ORDER = "$setElementOrder/";
    private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";

    private StrategicMerge() {
    }

    /** Answers a changed copy. */
    static ObjectNode apply(ObjectNode target, JsonNode patch, MergeKeys keys) {
        if (!(patch instanceof ObjectNode changes)) {
            throw ApiError.badRequest("json: cannot unmarshal array into Go value of type map[string]interface {}");
        }
        return merge(target.deepCopy(), changes.deepCopy(), keys);
    }

    private static ObjectNode merge(ObjectNode target, ObjectNode patch, MergeKeys keys) {
        if (patch.has(DIRECTIVE)) {
            String directive = Trees.text(patch, DIRECTIVE);
            patch.remove(DIRECTIVE);
            return switch (directive) {
                case "replace" -> patch;
                case "delete" -> Trees.object();
                default -> throw bad("unknown patch type found: " + directive);
            };
        }
        retain(target, patch);
        for (String member : List.copyOf(patch.propertyNames())) {
            if (member.startsWith(ORDER)) {
                orderedList(target, patch, member, keys);
            }
        }
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            mergeMember(target, entry.getKey(), entry.getValue(), keys);
        }
        return target;
    }

    private static void mergeMember(ObjectNode target, String member, JsonNode value, MergeKeys keys) {
        if (member.startsWith(DELETE_VALUES)) {
            String list = member.substring(DELETE_VALUES.length());
            if (target.path(list) instanceof ArrayNode values && value instanceof ArrayNode gone) {
                target.set(list, without(values, gone));
            }
            return;
        }
        if (value.isNull()) {
            target.remove(member);
            return;
        }
        MergeKeys.Field field = keys.field(member);
        JsonNode there = target.path(member);
        if (there instanceof ObjectNode object && value instanceof ObjectNode changes) {
            target.set(member, merge(object, changes, field.inside()));
        } else if (there instanceof ArrayNode list && value instanceof ArrayNode changes && field.form() == MergeKeys.Form.MERGED_LIST) {
            target.set(member, mergeList(list, changes, field));
        } else {
            target.set(member, withoutDirectives(value));
        }
    }

    private static void retain(ObjectNode target, ObjectNode patch) {
        if (!patch.has(RETAIN)) {
            return;
        }
        if (!(patch.remove(RETAIN) instanceof ArrayNode kept)) {
            throw bad("$retainKeys must be a list");
        }
        List<String> names = new ArrayList<>();
        kept.forEach(name -> names.add(name.asString()));
        for (String member : patch.propertyNames()) {
            if (!patch.path(member).isNull() && !member.startsWith("$") && !names.contains(member)) {
                throw bad("$retainKeys does not name the changed member " + member);
            }
        }
        target.retain(names);
    }

    private static void orderedList(ObjectNode target, ObjectNode patch, String directive, MergeKeys keys) {
        JsonNode order = patch.remove(directive);
        String member = directive.substring(ORDER.length());
        MergeKeys.Field field = keys.field(member);
        if (!(order instanceof ArrayNode wanted)) {
            throw bad("$setElementOrder/" + member + " must be a list");
        }
        ArrayNode before = target.path(member) instanceof ArrayNode list ? list.deepCopy() : Trees.array();
        JsonNode changes = patch.path(member);
        if (changes instanceof ArrayNode list) {
            checkOrder(list, wanted, field.key(), member);
            patch.remove(member);
            target.set(member, target.has(member) && field.form() == MergeKeys.Form.MERGED_LIST
                    ? mergeList((ArrayNode) target.path(member), list, field)
                    : withoutDirectives(list));
        }
        if (target.path(member) instanceof ArrayNode merged) {
            target.set(member, new ListOrder(field.key()).arrange(merged, wanted, wanted, before));
        }
    }

    private static void checkOrder(ArrayNode changes, ArrayNode wanted, String key, String member) {
        ListOrder order = new ListOrder(key);
        for (JsonNode entry : changes) {
            boolean deletes = "delete".equals(Trees.text(entry, DIRECTIVE));
            boolean replaces = "replace".equals(Trees.text(entry, DIRECTIVE));
            if (!deletes && !replaces && order.position(wanted, entry) < 0) {
                throw bad("The order in patch list: " + member + " doesn't match $setElementOrder list");
            }
        }
    }

    private static ArrayNode mergeList(ArrayNode target, ArrayNode changes, MergeKeys.Field field) {
        ArrayNode before = target.deepCopy();
        ListOrder order = new ListOrder(field.key());
        ArrayNode merged = target.deepCopy();
        if (field.key().isEmpty()) {
            for (JsonNode value : changes) {
                if (order.position(merged, value) < 0) {
                    merged.add(value);
                }
            }
            return order.arrange(merged, changes, changes, before);
        }
        ArrayNode plain = Trees.array();
        boolean replaced = false;
        for (JsonNode entry : changes) {
            switch (Trees.text(entry, DIRECTIVE)) {
                case "" -> plain.add(entry);
                case "delete" -> {
                    keyOf(entry, field.key());
                    for (int at = order.position(merged, entry); at >= 0; at = order.position(merged, entry)) {
                        merged.remove(at);
                    }
                }
                case "replace" -> replaced = true;
                default -> throw bad("unknown patch type found: " + Trees.text(entry, DIRECTIVE));
            }
        }
        if (replaced) {
            return (ArrayNode) withoutDirectives(plain);
        }
        for (JsonNode entry : plain) {
            keyOf(entry, field.key());
            int at = order.position(merged, entry);
            if (at >= 0 && merged.get(at) instanceof ObjectNode there) {
                merged.set(at, merge(there, (ObjectNode) entry.deepCopy(), field.inside()));
            } else {
                merged.add(withoutDirectives(entry));
            }
        }
        return order.arrange(merged, plain, changes, before);
    }

    private static void keyOf(JsonNode entry, String key) {
        if (Optional.ofNullable(entry.get(key)).isEmpty()) {
            throw ApiError.failure("map: " + entry + " does not contain declared merge key: " + key);
        }
    }

    private static ArrayNode without(ArrayNode values, ArrayNode gone) {
        ArrayNode kept = Trees.array();
        ListOrder order = new ListOrder("");
        values.forEach(value -> {
            if (order.position(gone, value) < 0) {
                kept.add(value);
            }
        });
        return kept;
    }

    /** A value that meets nothing to merge with: directives and nulls go, entries marked for deletion too. */
    private static JsonNode withoutDirectives(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode clean = Trees.object();
                object.properties().forEach(entry -> {
                    if (!entry.getKey().startsWith("$") && !entry.getValue().isNull()) {
                        clean.set(entry.getKey(), withoutDirectives(entry.getValue()));
                    }
                });
                yield clean;
            }
            case ArrayNode list -> {
                ArrayNode clean = Trees.array();
                for (JsonNode entry : list) {
                    if (Trees.text(entry, DIRECTIVE).isEmpty()) {
                        clean.add(withoutDirectives(entry));
                    }
                }
                yield clean;
            }
            default -> value;
        };
    }

    private static ApiError bad(String message) {
        return ApiError.badRequest(message);
    }
}

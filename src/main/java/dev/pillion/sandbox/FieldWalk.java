package dev.pillion.sandbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Walks over values member by member and entry by entry, as their FieldForm cuts them: which fields there are, what differs, how two merge, what to drop. */
final class FieldWalk {

    private FieldWalk() {
    }

    /**
     * What changed from one object to another.
     *
     * @param changed fields that are new or have another value
     * @param removed fields that are gone
     */
    record Difference(FieldSet changed, FieldSet removed) {
    }

    /** Steps to the parts of a value in their order, or null when the value is owned as a whole. */
    static @Nullable Map<String, JsonNode> parts(JsonNode value, FieldForm form) {
        Map<String, JsonNode> parts = new LinkedHashMap<>();
        switch (value) {
            case ObjectNode object when !form.isAtomicMap() ->
                object.properties().forEach(member -> parts.put("f:" + member.getKey(), member.getValue()));
            case ArrayNode list -> {
                FieldForm.Entries entries = form.entries();
                if (entries instanceof FieldForm.Entries.Whole) {
                    return null;
                }
                list.forEach(entry -> parts.put(step(entry, entries, form.items()), entry));
            }
            default -> {
                return null;
            }
        }
        return parts;
    }

    private static String step(JsonNode entry, FieldForm.Entries entries, FieldForm form) {
        if (!(entries instanceof FieldForm.Entries.Keyed keyed) || !entry.isObject()) {
            return "v:" + Trees.text(entry);
        }
        ObjectNode keys = Trees.object();
        for (String key : keyed.keys().stream().sorted().toList()) {
            JsonNode value = entry.path(key);
            String otherwise = form.keyDefault(key);
            if (!value.isMissingNode()) {
                keys.set(key, value);
            } else if (!otherwise.isEmpty()) {
                keys.set(key, Trees.MAPPER.readTree(otherwise));
            }
        }
        return "k:" + Trees.text(keys);
    }

    static FieldForm below(FieldForm form, String step) {
        return step.startsWith("f:") ? form.member(step.substring(2)) : form.items();
    }

    /** All fields of a value. Entries of lists, keys of maps and empty maps are fields themselves. */
    static FieldSet fields(JsonNode value, FieldForm form) {
        Map<String, JsonNode> parts = parts(value, form);
        if (parts == null || parts.isEmpty()) {
            return FieldSet.LEAF;
        }
        Map<String, FieldSet> children = new TreeMap<>();
        parts.forEach((step, part) -> {
            FieldSet inside = fields(part, below(form, step));
            boolean isFixed = step.startsWith("f:") && form.isField(step.substring(2));
            children.put(step, isFixed ? inside : inside.asMember());
        });
        return new FieldSet(false, children);
    }

    static Difference difference(JsonNode before, JsonNode after, FieldForm form) {
        Map<String, JsonNode> old = parts(before, form);
        Map<String, JsonNode> now = parts(after, form);
        if (old == null || now == null) {
            return new Difference(before.equals(after) ? FieldSet.EMPTY : fields(after, form), FieldSet.EMPTY);
        }
        Map<String, FieldSet> changed = new TreeMap<>();
        Map<String, FieldSet> removed = new TreeMap<>();
        now.forEach((step, part) -> {
            JsonNode there = old.get(step);
            if (there == null) {
                changed.put(step, fields(part, below(form, step)).asMember());
            } else {
                Difference inside = difference(there, part, below(form, step));
                keep(changed, step, inside.changed());
                keep(removed, step, inside.removed());
            }
        });
        old.forEach((step, part) -> {
            if (!now.containsKey(step)) {
                removed.put(step, fields(part, below(form, step)).asMember());
            }
        });
        return new Difference(new FieldSet(false, changed), new FieldSet(false, removed));
    }

    private static void keep(Map<String, FieldSet> sets, String step, FieldSet set) {
        if (!set.isEmpty()) {
            sets.put(step, set);
        }
    }

    /** Lays a configuration over a live value. Entries only the live list has stay where they are; the configuration's come in its own order. */
    static JsonNode merge(JsonNode live, JsonNode configuration, FieldForm form) {
        Map<String, JsonNode> old = parts(live, form);
        Map<String, JsonNode> wanted = parts(configuration, form);
        if (old == null || wanted == null || live.getNodeType() != configuration.getNodeType()) {
            return configuration.deepCopy();
        }
        if (live instanceof ObjectNode object) {
            ObjectNode merged = object.deepCopy();
            wanted.forEach((step, part) -> {
                JsonNode there = old.get(step);
                merged.set(step.substring(2), there == null ? part.deepCopy() : merge(there, part, below(form, step)));
            });
            return merged;
        }
        ArrayNode merged = Trees.array();
        for (String step : mergedOrder(List.copyOf(old.keySet()), List.copyOf(wanted.keySet()))) {
            JsonNode there = old.get(step);
            JsonNode part = wanted.get(step);
            merged.add(there == null
                    ? Objects.requireNonNull(part).deepCopy()
                    : part == null ? there.deepCopy() : merge(there, part, form.items()));
        }
        return merged;
    }

    /** Live-only entries come as early as the order of the shared ones allows, before new ones of the configuration. */
    private static List<String> mergedOrder(List<String> live, List<String> wanted) {
        List<String> order = new java.util.ArrayList<>();
        List<String> shared = wanted.stream().filter(live::contains).toList();
        int l = 0;
        int w = 0;
        int s = 0;
        while (l < live.size() || w < wanted.size()) {
            if (l < live.size() && !wanted.contains(live.get(l))) {
                order.add(live.get(l++));
                continue;
            }
            boolean isNext = l < live.size() && s < shared.size() && live.get(l).equals(shared.get(s));
            if (l < live.size() && !isNext) {
                l++;
                continue;
            }
            if (w < wanted.size()) {
                String step = wanted.get(w++);
                order.add(step);
                if (s < shared.size() && shared.get(s).equals(step)) {
                    s++;
                    l += isNext ? 1 : 0;
                }
            }
        }
        return order;
    }

    /** Drops from a merged value what was applied before and is kept by nobody now; with it goes whatever lies inside. */
    static JsonNode prune(JsonNode merged, FieldSet applied, FieldSet kept, FieldForm form) {
        Map<String, JsonNode> parts = parts(merged, form);
        if (parts == null) {
            return merged;
        }
        Map<String, JsonNode> left = new LinkedHashMap<>();
        parts.forEach((step, part) -> {
            FieldSet mine = applied.child(step);
            FieldSet others = kept.child(step);
            if (mine == null) {
                left.put(step, part);
            } else if (others != null) {
                left.put(step, prune(part, mine, others, below(form, step)));
            }
        });
        if (merged.isArray()) {
            return Trees.array().addAll(left.values());
        }
        ObjectNode object = Trees.object();
        left.forEach((step, part) -> object.set(step.substring(2), part));
        return object;
    }
}

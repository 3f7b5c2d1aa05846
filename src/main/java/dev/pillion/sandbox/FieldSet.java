package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A set of field paths as a tree, in the form of `managedFields[].fieldsV1`. Steps: `f:<member>`, `k:<keys as JSON>`, `v:<value as JSON>`.
 * A node is in the set itself when `isMember`; then it is written as "." unless it has no children. Immutable.
 */
record FieldSet(boolean isMember, Map<String, FieldSet> children) {
    static final FieldSet EMPTY = new FieldSet(false, Map.of());
    static final FieldSet LEAF = new FieldSet(true, Map.of());

    /** Sorted, so that texts are stable. */
    FieldSet {
        children = java.util.Collections.unmodifiableMap(new TreeMap<>(children));
    }

    static FieldSet read(JsonNode fields) {
        if (fields.isEmpty()) {
            return LEAF;
        }
        Map<String, FieldSet> children = new TreeMap<>();
        fields.properties().forEach(child -> {
            if (!child.getKey().equals(".")) {
                children.put(child.getKey(), read(child.getValue()));
            }
        });
        return new FieldSet(fields.has("."), children);
    }

    ObjectNode write() {
        ObjectNode fields = Trees.object();
        if (isMember && !children.isEmpty()) {
            fields.putObject(".");
        }
        children.forEach((step, child) -> fields.set(step, child.write()));
        return fields;
    }

    boolean isEmpty() {
        return !isMember && children.isEmpty();
    }

    /** The part below a step, or null when nothing there is in the set. */
    @Nullable
    FieldSet child(String step) {
        return children.get(step);
    }

    FieldSet asMember() {
        return new FieldSet(true, children);
    }

    FieldSet without(List<String> path) {
        FieldSet child = children.get(path.getFirst());
        if (child == null) {
            return this;
        }
        Map<String, FieldSet> rest = new TreeMap<>(children);
        FieldSet left = path.size() == 1 ? EMPTY : child.without(path.subList(1, path.size()));
        put(rest, path.getFirst(), left);
        return new FieldSet(isMember, rest);
    }

    FieldSet union(FieldSet other) {
        Map<String, FieldSet> all = new TreeMap<>(children);
        other.children.forEach((step, child) -> all.merge(step, child, FieldSet::union));
        return new FieldSet(isMember || other.isMember, all);
    }

    FieldSet minus(FieldSet other) {
        Map<String, FieldSet> rest = new TreeMap<>();
        children.forEach((step, child) -> {
            FieldSet taken = other.children.get(step);
            put(rest, step, taken == null ? child : child.minus(taken));
        });
        return new FieldSet(isMember && !other.isMember, rest);
    }

    FieldSet and(FieldSet other) {
        Map<String, FieldSet> both = new TreeMap<>();
        children.forEach((step, child) -> {
            FieldSet theirs = other.children.get(step);
            if (theirs != null) {
                put(both, step, child.and(theirs));
            }
        });
        return new FieldSet(isMember && other.isMember, both);
    }

    /** The paths as messages show them: `.spec.containers[name="app"].image`. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String path, List<String> paths) {
        if (isMember) {
            paths.add(path);
        }
        children.forEach((step, child) -> child.collect(path + shown(step), paths));
    }

    private static String shown(String step) {
        String text = step.substring(2);
        return switch (step.charAt(0)) {
            case 'k' -> {
                List<String> keys = new ArrayList<>();
                Trees.MAPPER.readTree(text).properties().forEach(key -> keys.add(key.getKey() + "=" + Trees.text(key.getValue())));
                yield "[" + String.join(",", keys) + "]";
            }
            case 'v' -> "[=" + text + "]";
            default -> "." + text;
        };
    }

    private static void put(Map<String, FieldSet> children, String step, FieldSet child) {
        if (child.isEmpty()) {
            children.remove(step);
        } else {
            children.put(step, child);
        }
    }
}

package dev.pillion.naive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;

/** Patched annotations and bookkeeping (injection.md 6, 8; api.md 4.2). */
final class NaiveMetadata {
    private static final String HASH = "kruise.io/sidecarset-hash";
    private static final String WITHOUT_IMAGE = "kruise.io/sidecarset-hash-without-image";
    private static final String LIST = "kruise.io/sidecarset-injected-list";
    private static final String WORKING = "kruise.io/sidecarset-working-hotupgrade-container";
    private final Map<String, String> annotations;

    NaiveMetadata(Map<String, String> annotations) {
        this.annotations = annotations;
    }

    void patch(JsonNode content) {
        boolean leavesMark = !content.path("spec").path("containers").isEmpty() || !content.path("spec").path("initContainers").isEmpty();
        for (JsonNode entry : content.path("spec").path("patchPodMetadata")) {
            Tree.texts(entry.path("annotations")).forEach((key, value) -> {
                switch (Tree.text(entry, "patchPolicy")) {
                    case "", "Retain" -> annotations.putIfAbsent(key, value);
                    case "Overwrite" -> annotations.put(key, value);
                    case "MergePatchJson" -> {
                        String existing = annotations.getOrDefault(key, "");
                        annotations.put(key, existing.isEmpty() ? value : merge(existing, value, leavesMark));
                    }
                    default -> {
                    }
                }
            });
        }
    }

    /** A set without containers leaves no mark that it was here before: what says the same stays as written (trap 33). */
    private static String merge(String existing, String patch, boolean leavesMark) {
        if (!leavesMark && existing.equals(patch)) {
            return existing;
        }
        String merged = merge(existing, patch);
        return !leavesMark && Tree.parse(existing).equals(Tree.parse(merged)) ? existing : merged;
    }

    private static String merge(String existing, String patch) {
        if (!Tree.isJson(existing) || !Tree.isJson(patch) || Tree.parse(existing).isNull()) {
            throw new Refused("metadata-patch");
        }
        JsonNode change = Tree.parse(patch);
        if (change.isArray() || (change.isObject() && !Tree.parse(existing).isObject())) {
            return added(change);
        }
        if (!change.isObject()) {
            throw new Refused("metadata-patch");
        }
        return merged(Tree.parse(existing), change);
    }

    private static String merged(JsonNode target, JsonNode change) {
        TreeMap<String, String> members = new TreeMap<>();
        target.properties().forEach(e -> members.put(e.getKey(), untouched(e.getValue())));
        for (Map.Entry<String, JsonNode> member : change.properties()) {
            JsonNode before = target.path(member.getKey());
            if (member.getValue().isNull()) {
                members.remove(member.getKey());
            } else if (before.isObject() && member.getValue().isObject()) {
                members.put(member.getKey(), merged(before, member.getValue()));
            } else {
                members.put(member.getKey(), before.isObject() ? untouched(member.getValue()) : added(member.getValue()));
            }
        }
        return joined(members);
    }

    private static String joined(Map<String, String> members) {
        List<String> parts = new ArrayList<>();
        members.forEach((key, value) -> parts.add(Tree.quote(key) + ":" + value));
        return "{" + String.join(",", parts) + "}";
    }

    /** A new value: sorted, nulls of its objects left out, those of lists kept. */
    private static String added(JsonNode value) {
        if (value.isArray()) {
            return "[" + String.join(",", value.valueStream().map(NaiveMetadata::added).toList()) + "]";
        }
        if (!value.isObject()) {
            return untouched(value);
        }
        TreeMap<String, String> members = new TreeMap<>();
        value.properties().stream().filter(e -> !e.getValue().isNull()).forEach(e -> members.put(e.getKey(), added(e.getValue())));
        return joined(members);
    }

    /** A value nobody merged: compact, in its own order. */
    private static String untouched(JsonNode value) {
        if (value.isArray()) {
            return "[" + String.join(",", value.valueStream().map(NaiveMetadata::untouched).toList()) + "]";
        }
        if (value.isObject()) {
            List<String> parts = new ArrayList<>();
            value.properties().forEach(e -> parts.add(Tree.quote(e.getKey()) + ":" + untouched(e.getValue())));
            return "{" + String.join(",", parts) + "}";
        }
        return value.isString() ? Tree.quote(value.stringValue()) : value.toString();
    }

    /** Both hash annotations must be readable. */
    void check() {
        entries(HASH);
        entries(WITHOUT_IMAGE);
    }

    private SortedMap<String, String> entries(String key) {
        SortedMap<String, String> entries = new TreeMap<>();
        String text = annotations.getOrDefault(key, "");
        if (text.isEmpty()) {
            return entries;
        }
        JsonNode map = Tree.isJson(text) ? Tree.parse(text) : Tree.parse("1");
        boolean old = map.isObject() && !map.isEmpty() && map.valueStream().allMatch(JsonNode::isString);
        if (!map.isNull() && !old && !(map.isObject() && map.valueStream().allMatch(NaiveMetadata::isEntry))) {
            throw new Refused("annotation-unreadable");
        }
        map.properties().forEach(e -> entries.put(e.getKey(),
                old
                        ? "{\"updateTimestamp\":null,\"hash\":" + Tree.quote(e.getValue().stringValue()) + ",\"sidecarSetName\":"
                                + Tree.quote(e.getKey()) + ",\"sidecarList\":null}"
                        : entry(e.getValue())));
        return entries;
    }

    private static boolean isEntry(JsonNode value) {
        String time = value.path("updateTimestamp").stringValue("2026-01-01T00:00:00Z");
        return value.isObject() && time.matches("[-0-9]+T[:0-9]+Z") && value.path("hash").isString()
                && (value.path("sidecarList").isArray() || !value.has("sidecarList")
                        || value.path("sidecarList").isNull());
    }

    private static String entry(JsonNode value) {
        JsonNode list = value.path("sidecarList");
        String revision = Tree.text(value, "controllerRevision");
        return "{\"updateTimestamp\":" + (value.path("updateTimestamp").isString() ? value.path("updateTimestamp") : "null") + ",\"hash\":"
                + Tree.quote(Tree.text(value, "hash")) + ",\"sidecarSetName\":" + Tree.quote(Tree.text(value, "sidecarSetName"))
                + ",\"sidecarList\":" + (list.isArray() ? untouched(list) : "null")
                + (revision.isEmpty() ? "" : ",\"controllerRevision\":" + Tree.quote(revision)) + "}";
    }

    /** Something was built: entries of the sets that have containers, names of all. */
    void book(List<JsonNode> contents, Map<String, String> marks, Map<String, String> working, String now) {
        SortedMap<String, String> hash = entries(HASH);
        SortedMap<String, String> withoutImage = entries(WITHOUT_IMAGE);
        TreeSet<String> names = new TreeSet<>();
        if (!annotations.getOrDefault(LIST, "").isEmpty()) {
            names.addAll(List.of(annotations.getOrDefault(LIST, "").split(",", -1)));
        }
        for (JsonNode content : contents) {
            String name = NaiveChoice.nameOf(content);
            names.add(name);
            List<JsonNode> init = Tree.list(content.path("spec"), "initContainers");
            List<JsonNode> regular = Tree.list(content.path("spec"), "containers");
            if (init.isEmpty() && regular.isEmpty()) {
                continue;
            }
            TreeSet<String> sidecars = new TreeSet<>();
            regular.forEach(c -> sidecars.add(Tree.name(c)));
            init.stream().filter(NaiveSidecars::isNative).forEach(c -> sidecars.add(Tree.name(c)));
            String list = "[" + String.join(",", sidecars.stream().map(Tree::quote).toList()) + "]";
            JsonNode own = content.path("metadata").path("annotations");
            String revision = Tree.text(content.path("status"), "latestRevision");
            String form = "{\"updateTimestamp\":\"" + now + "\",\"hash\":%s,\"sidecarSetName\":" + Tree.quote(name) + ",\"sidecarList\":"
                    + list;
            hash.put(name, form.formatted(Tree.quote(Tree.text(own, HASH)))
                    + (revision.isEmpty() ? "" : ",\"controllerRevision\":" + Tree.quote(revision)) + "}");
            withoutImage.put(name, form.formatted(Tree.quote(Tree.text(own, WITHOUT_IMAGE))) + "}");
        }
        annotations.putAll(marks);
        annotations.put(HASH, joined(hash));
        annotations.put(WITHOUT_IMAGE, joined(withoutImage));
        annotations.put(LIST, String.join(",", names));
        if (!working.isEmpty()) {
            TreeMap<String, String> all = new TreeMap<>();
            String before = annotations.getOrDefault(WORKING, "");
            if (Tree.isJson(before)) {
                Tree.parse(before).properties().forEach(e -> all.put(e.getKey(), Tree.quote(e.getValue().stringValue(""))));
            }
            working.forEach((key, value) -> all.put(key, Tree.quote(value)));
            annotations.put(WORKING, joined(all));
        }
    }
}

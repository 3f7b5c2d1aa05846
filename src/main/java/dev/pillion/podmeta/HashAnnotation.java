package dev.pillion.podmeta;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoJson;
import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/**
 * The text of a Pod's hash or hash-without-image annotation, taken apart (api.md 4.2, rollout.md 9.3, 9.4). Immutable.
 *
 * @param form which of the forms the text has; decides what a writer does with the entries of other sets
 * @param entries by set name, in the order of the UTF-8 bytes. PRESENT: as read. OLD: only {@code hash} is filled. MIXED: objects as far as
 *        they can be read, everything else as {@link Entry#EMPTY}. Otherwise none
 * @param texts MIXED and OLD: the values that are plain strings
 */
public record HashAnnotation(Form form, SortedMap<String, Entry> entries, Map<String, String> texts) {

    /** The forms of rollout.md 9.4. */
    public enum Form {
        /** No annotation, or an empty text. */
        ABSENT,
        /** The text {@code null}; counts as a map without entries (trap V). */
        NULL,
        /** An object whose values are all objects or null, with members of the right kinds; also {@code {}}. */
        PRESENT,
        /** An object whose values are all strings or null. */
        OLD,
        /** Any other object. */
        MIXED,
        /** No JSON, or no object. */
        DAMAGED
    }

    /**
     * One entry of the present form.
     *
     * @param updateTimestamp RFC 3339, UTC, whole seconds; empty is written as null
     * @param sidecarList empty is written as null
     * @param controllerRevision left out when ""
     */
    public record Entry(Optional<String> updateTimestamp, String hash, String sidecarSetName, Optional<List<String>> sidecarList,
            String controllerRevision) {
        public static final Entry EMPTY = new Entry(Optional.empty(), "", "", Optional.empty(), "");

        public Entry {
            sidecarList = sidecarList.map(List::copyOf);
        }

        /** What is left of an entry of the old form. */
        public static Entry ofHash(String hash) {
            return new Entry(Optional.empty(), hash, "", Optional.empty(), "");
        }

        public Entry withName(String name) {
            return new Entry(updateTimestamp, hash, name, sidecarList, controllerRevision);
        }

        public Entry withTime(String time) {
            return new Entry(Optional.of(time), hash, sidecarSetName, sidecarList, controllerRevision);
        }

        private void write(StringBuilder out) {
            out.append("{\"updateTimestamp\":");
            if (updateTimestamp.isPresent()) {
                GoJson.quote(out, updateTimestamp.get());
            } else {
                out.append("null");
            }
            GoJson.quote(out.append(",\"hash\":"), hash);
            GoJson.quote(out.append(",\"sidecarSetName\":"), sidecarSetName);
            out.append(",\"sidecarList\":");
            if (sidecarList.isPresent()) {
                char before = '[';
                for (String sidecar : sidecarList.get()) {
                    GoJson.quote(out.append(before), sidecar);
                    before = ',';
                }
                out.append(before == '[' ? "[]" : "]");
            } else {
                out.append("null");
            }
            if (!controllerRevision.isEmpty()) {
                GoJson.quote(out.append(",\"controllerRevision\":"), controllerRevision);
            }
            out.append('}');
        }
    }

    private static final HashAnnotation ABSENT = bare(Form.ABSENT);

    public HashAnnotation {
        SortedMap<String, Entry> copy = new TreeMap<>(ByteOrder.UTF8);
        copy.putAll(entries);
        entries = Collections.unmodifiableSortedMap(copy);
        texts = Map.copyOf(texts);
    }

    /** Takes a text apart; "" stands for a missing annotation. Never throws. */
    public static HashAnnotation of(String text) {
        if (text.isEmpty()) {
            return ABSENT;
        }
        Optional<JsonNode> json = Json.tryRead(text);
        if (json.isEmpty()) {
            return bare(Form.DAMAGED);
        }
        JsonNode root = json.get();
        if (root.isNull()) {
            return bare(Form.NULL);
        }
        return root.isObject() ? ofObject(root) : bare(Form.DAMAGED);
    }

    private static HashAnnotation bare(Form form) {
        return new HashAnnotation(form, Collections.emptySortedMap(), Map.of());
    }

    private static HashAnnotation ofObject(JsonNode root) {
        SortedMap<String, Entry> entries = new TreeMap<>(ByteOrder.UTF8);
        Map<String, String> texts = new TreeMap<>();
        boolean clean = true;
        boolean onlyTexts = true;
        for (Map.Entry<String, JsonNode> member : root.properties()) {
            JsonNode value = member.getValue();
            EntryReader reader = new EntryReader();
            entries.put(member.getKey(), reader.read(value));
            clean &= reader.isClean();
            if (value.isString()) {
                texts.put(member.getKey(), value.stringValue());
            }
            onlyTexts &= value.isString() || value.isNull();
        }
        if (clean) {
            return new HashAnnotation(Form.PRESENT, entries, Map.of());
        }
        if (onlyTexts) {
            entries.replaceAll((name, _) -> Entry.ofHash(texts.getOrDefault(name, "")));
            return new HashAnnotation(Form.OLD, entries, texts);
        }
        return new HashAnnotation(Form.MIXED, entries, texts);
    }

    /** What readers outside injection see: the entries of the present and the old form; any other text has none (api.md 4.2). */
    public Map<String, Entry> readable() {
        return switch (form) {
            case PRESENT, OLD -> entries;
            case ABSENT, NULL, MIXED, DAMAGED -> Map.of();
        };
    }

    /** The same map with this entry put in place of the set's old one; the result has the present form. */
    public HashAnnotation with(String setName, Entry entry) {
        SortedMap<String, Entry> changed = new TreeMap<>(ByteOrder.UTF8);
        changed.putAll(entries);
        changed.put(setName, entry);
        return present(changed);
    }

    /** An annotation of the present form. */
    public static HashAnnotation present(Map<String, Entry> entries) {
        return new HashAnnotation(Form.PRESENT, sorted(entries), Map.of());
    }

    private static SortedMap<String, Entry> sorted(Map<String, Entry> entries) {
        SortedMap<String, Entry> sorted = new TreeMap<>(ByteOrder.UTF8);
        sorted.putAll(entries);
        return sorted;
    }

    /** The exact text of the present form: names by bytes, members in the fixed order, no white space. */
    public String write() {
        return write(entries);
    }

    /** The text of these entries. */
    public static String text(Map<String, Entry> entries) {
        return write(sorted(entries));
    }

    private static String write(SortedMap<String, Entry> sorted) {
        StringBuilder out = new StringBuilder(64 + 200 * sorted.size());
        char before = '{';
        for (Map.Entry<String, Entry> each : sorted.entrySet()) {
            GoJson.quote(out.append(before), each.getKey());
            each.getValue().write(out.append(':'));
            before = ',';
        }
        return out.append(before == '{' ? "{}" : "}").toString();
    }
}

package dev.pillion.podmeta;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.pillion.api.Json;
import dev.pillion.api.PodMarks.InPlace;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The in-place annotation: which image ids the containers had before an upgrade, by set name (rollout.md 9.5). Members that are not
 * ours stay as they are. Immutable.
 */
public final class InPlaceState {
    private final ObjectNode root;
    private final boolean readable;

    private InPlaceState(ObjectNode root, boolean readable) {
        this.root = root;
        this.readable = readable;
    }

    /** Text that is no JSON object of the right kinds is remembered as unreadable; writing then starts empty. Null counts as empty (trap V). */
    public static InPlaceState of(String text) {
        Optional<JsonNode> json = text.isEmpty() ? Optional.empty() : Json.tryRead(text);
        if (json.isPresent() && json.get().isNull()) {
            return new InPlaceState(Json.object(), true);
        }
        if (json.isEmpty() || !(json.get() instanceof ObjectNode object)) {
            return new InPlaceState(Json.object(), false);
        }
        ObjectNode root = Json.object();
        boolean readable = true;
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (entry.getValue() instanceof ObjectNode state) {
                StateReader reader = new StateReader();
                root.set(entry.getKey(), reader.read(state));
                readable &= reader.isClean();
            } else {
                readable &= entry.getValue().isNull();
            }
        }
        return new InPlaceState(root, readable);
    }

    /** What decisions read of it. */
    public InPlace mark() {
        if (!readable) {
            return new InPlace.Unreadable();
        }
        Map<String, Map<String, String>> ids = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            Map<String, String> last = new HashMap<>();
            entry.getValue().path(StateReader.LAST).properties()
                    .forEach(c -> last.put(c.getKey(), Json.text(c.getValue(), StateReader.ID)));
            ids.put(entry.getKey(), Map.copyOf(last));
        }
        return new InPlace.States(ids);
    }

    /**
     * The text after an upgrade or flip of the given containers.
     *
     * @param hash becomes the revision of a new entry; an existing entry keeps its own (trap u)
     * @param imageIds changed container -> current imageID, "" when unknown
     */
    public String with(String setName, String hash, Map<String, String> imageIds, Instant now) {
        ObjectNode changed = root.deepCopy();
        ObjectNode entry;
        if (changed.get(setName) instanceof ObjectNode existing) {
            entry = existing;
        } else {
            entry = changed.putObject(setName);
            entry.put("revision", hash).put("updateTimestamp", GoTime.write(now)).putObject(StateReader.LAST);
        }
        ObjectNode last = entry.get(StateReader.LAST) instanceof ObjectNode present ? present : entry.putObject(StateReader.LAST);
        imageIds.forEach((container, id) -> {
            ObjectNode status = last.putObject(container);
            if (!id.isEmpty()) {
                status.put(StateReader.ID, id);
            }
        });
        return write(changed);
    }

    private static String write(ObjectNode states) {
        SortedMap<String, JsonNode> sorted = new TreeMap<>(GoText.BYTES);
        states.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
        StringBuilder out = new StringBuilder();
        object(out, sorted, (name, state) -> {
            // The three fixed members come first in their order; their contents and all others by bytes.
            StringBuilder entry = new StringBuilder();
            Map<String, JsonNode> members = new LinkedHashMap<>();
            for (String member : StateReader.FIXED) {
                members.put(member, state.path(member));
            }
            state.properties().forEach(m -> members.putIfAbsent(m.getKey(), m.getValue()));
            object(entry, members, (_, value) -> plain(value));
            return entry.toString();
        });
        return out.toString();
    }

    private static String plain(JsonNode value) {
        StringBuilder out = new StringBuilder();
        if (value instanceof ObjectNode object) {
            SortedMap<String, JsonNode> sorted = new TreeMap<>(GoText.BYTES);
            object.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
            object(out, sorted, (_, item) -> plain(item));
        } else if (value.isArray()) {
            out.append('[');
            value.forEach(item -> out.append(out.length() > 1 ? "," : "").append(plain(item)));
            out.append(']');
        } else if (value.isString()) {
            GoText.quote(out, value.stringValue());
        } else {
            out.append(value.isMissingNode() ? "null" : Json.write(value));
        }
        return out.toString();
    }

    private interface Value {
        String write(String name, JsonNode value);
    }

    private static void object(StringBuilder out, Map<String, JsonNode> members, Value value) {
        out.append('{');
        int start = out.length();
        members.forEach((name, item) -> {
            if (out.length() > start) {
                out.append(',');
            }
            GoText.quote(out, name).append(':').append(value.write(name, item));
        });
        out.append('}');
    }
}

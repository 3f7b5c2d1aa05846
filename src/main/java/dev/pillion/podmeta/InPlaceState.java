package dev.pillion.podmeta;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoJson;
import dev.pillion.api.GoTime;
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

    /**
     * Text that is no JSON object is remembered as unreadable, and writing starts empty. With members of a wrong kind it is unreadable
     * too, but what can be read stays. Null counts as empty (trap V).
     */
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
            if (!entry.getValue().isNull()) {
                StateReader reader = new StateReader();
                root.set(entry.getKey(), reader.read(entry.getValue()));
                readable &= reader.isClean();
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

    /** The three fixed members of an entry come first in their order, everything else by bytes. */
    private static String write(ObjectNode states) {
        StringBuilder out = new StringBuilder("{");
        states.properties().stream().sorted(Map.Entry.comparingByKey(ByteOrder.UTF8)).forEach(state -> {
            out.append(out.length() > 1 ? "," : "").append(GoJson.quote(state.getKey())).append(':');
            Map<String, JsonNode> members = new LinkedHashMap<>();
            StateReader.FIXED.forEach(m -> members.put(m, state.getValue().path(m)));
            state.getValue().properties().forEach(m -> members.putIfAbsent(m.getKey(), m.getValue()));
            StringJoiner entry = new StringJoiner(",", "{", "}");
            members.forEach((name, value) -> entry.add(GoJson.quote(name) + ":" + GoJson.encode(value)));
            out.append(entry);
        });
        return out.append('}').toString();
    }
}

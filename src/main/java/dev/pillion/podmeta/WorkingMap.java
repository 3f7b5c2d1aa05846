package dev.pillion.podmeta;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoJson;
import dev.pillion.api.Json;

/** The annotation that names the working twin of each hot container (rollout.md 10.1). Immutable. */
public record WorkingMap(SortedMap<String, String> twins) {
    public WorkingMap {
        SortedMap<String, String> copy = new TreeMap<>(ByteOrder.UTF8);
        copy.putAll(twins);
        twins = Collections.unmodifiableSortedMap(copy);
    }

    /** Text that is no JSON object counts as an empty map; a value that is no string as "". */
    public static WorkingMap of(String text) {
        SortedMap<String, String> twins = new TreeMap<>(ByteOrder.UTF8);
        Json.tryRead(text).ifPresent(
                n -> n.properties().forEach(e -> twins.put(e.getKey(), e.getValue().isString() ? e.getValue().stringValue() : "")));
        return new WorkingMap(twins);
    }

    public WorkingMap with(String container, String twin) {
        SortedMap<String, String> changed = new TreeMap<>(twins);
        changed.put(container, twin);
        return new WorkingMap(changed);
    }

    /** The text to store: keys by bytes, no white space. */
    public String write() {
        StringBuilder out = new StringBuilder("{");
        for (Map.Entry<String, String> twin : twins.entrySet()) {
            if (out.length() > 1) {
                out.append(',');
            }
            out.append(GoJson.quote(twin.getKey())).append(':').append(GoJson.quote(twin.getValue()));
        }
        return out.append('}').toString();
    }
}

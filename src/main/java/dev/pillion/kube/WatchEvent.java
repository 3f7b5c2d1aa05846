package dev.pillion.kube;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/** One value of a watch's stream. */
sealed interface WatchEvent<T> {
    record Seen<T>(ObjectReader.Item<T> item) implements WatchEvent<T> {
    }

    record Gone<T>(ObjectReader.Item<T> item) implements WatchEvent<T> {
    }

    record Bookmark<T>(String version) implements WatchEvent<T> {
    }

    /** An ERROR event; code 0 when it names none. */
    record Failure<T>(int code, String message) implements WatchEvent<T> {
    }

    /** The next event that means something; null at the end of the stream. Values that are no events are passed over. */
    static <T> @Nullable WatchEvent<T> next(JsonCursor json, ObjectReader<T> reader) {
        while (json.nextRoot()) {
            WatchEvent<T> event = json.entersObject() ? read(json, reader) : null;
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    private static <T> @Nullable WatchEvent<T> read(JsonCursor json, ObjectReader<T> reader) {
        String type = "";
        WatchEvent<T> event = null;
        JsonNode early = null;
        for (String member = json.nextName(); member != null; member = json.nextName()) {
            switch (member) {
                case "type" -> type = json.text();
                case "object" -> {
                    if (!json.atObject()) {
                        json.skip();
                    } else if (type.isEmpty()) {
                        early = json.tree();
                    } else {
                        event = object(type, json, reader);
                    }
                }
                default -> json.skip();
            }
        }
        if (early == null || event != null) {
            return event;
        }
        return object(type, new JsonCursor(Json.bytes(early)), reader);
    }

    private static <T> @Nullable WatchEvent<T> object(String type, JsonCursor json, ObjectReader<T> reader) {
        return switch (type) {
            case "ADDED", "MODIFIED" -> new Seen<>(reader.event(json));
            case "DELETED" -> new Gone<>(reader.event(json));
            case "BOOKMARK" -> new Bookmark<>(reader.event(json).version());
            case "ERROR" -> {
                JsonNode status = json.tree();
                yield new Failure<>(status.path("code").asInt(0), Json.text(status, "message"));
            }
            default -> {
                json.skip();
                yield null;
            }
        };
    }
}

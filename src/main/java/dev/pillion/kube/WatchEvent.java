package dev.pillion.kube;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.Json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
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
    static <T> @Nullable WatchEvent<T> next(JsonParser parser, ObjectReader<T> reader) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            WatchEvent<T> event = null;
            if (token == JsonToken.START_OBJECT) {
                event = read(parser, reader);
            } else {
                parser.skipChildren();
            }
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    private static <T> @Nullable WatchEvent<T> read(JsonParser parser, ObjectReader<T> reader) {
        String type = "";
        WatchEvent<T> event = null;
        JsonNode early = null;
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "type" -> type = StreamJson.text(parser);
                case "object" -> {
                    if (!StreamJson.entersObject(parser)) {
                        continue;
                    }
                    if (type.isEmpty()) {
                        early = StreamJson.tree(parser);
                    } else {
                        event = object(type, parser, reader);
                    }
                }
                default -> StreamJson.skip(parser);
            }
        }
        if (early == null || event != null) {
            return event;
        }
        try (JsonParser again = StreamJson.parser(early)) {
            again.nextToken();
            return object(type, again, reader);
        }
    }

    private static <T> @Nullable WatchEvent<T> object(String type, JsonParser parser, ObjectReader<T> reader) {
        return switch (type) {
            case "ADDED", "MODIFIED" -> new Seen<>(reader.read(parser));
            case "DELETED" -> new Gone<>(reader.read(parser));
            case "BOOKMARK" -> new Bookmark<>(reader.read(parser).version());
            case "ERROR" -> {
                JsonNode status = StreamJson.tree(parser);
                yield new Failure<>(status.path("code").asInt(0), Json.text(status, "message"));
            }
            default -> {
                parser.skipChildren();
                yield null;
            }
        };
    }
}

package dev.pillion.kube;

import java.io.IOException;
import java.util.function.Consumer;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The metadata of one page of a list; next is "" on the last one. */
record ListPage(String version, String next) {

    /** Reads a page object by object. @throws IOException when the page ends early */
    static <T> ListPage read(JsonParser parser, ObjectReader<T> reader, Consumer<ObjectReader.Item<T>> each) throws IOException {
        String version = "";
        String next = "";
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("the list is no object");
        }
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "metadata" -> {
                    if (StreamJson.entersObject(parser)) {
                        for (String inner = parser.nextName(); inner != null; inner = parser.nextName()) {
                            switch (inner) {
                                case "resourceVersion" -> version = StreamJson.text(parser);
                                case "continue" -> next = StreamJson.text(parser);
                                default -> StreamJson.skip(parser);
                            }
                        }
                    }
                }
                case "items" -> items(parser, reader, each);
                default -> StreamJson.skip(parser);
            }
        }
        if (parser.currentToken() != JsonToken.END_OBJECT) {
            throw new IOException("the list ends early");
        }
        return new ListPage(version, next);
    }

    private static <T> void items(JsonParser parser, ObjectReader<T> reader, Consumer<ObjectReader.Item<T>> each) {
        if (!StreamJson.entersArray(parser)) {
            return;
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY && token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                each.accept(reader.read(parser));
            } else {
                parser.skipChildren();
            }
        }
    }
}

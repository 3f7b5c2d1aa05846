package dev.pillion.kube;

import java.io.IOException;
import java.util.function.Consumer;

/** The metadata of one page of a list; next is "" on the last one. */
record ListPage(String version, String next) {

    /** Reads a page object by object. @throws IOException when it is none; unchecked when it ends early */
    static <T> ListPage read(JsonCursor json, ObjectReader<T> reader, Consumer<ObjectReader.Item<T>> each) throws IOException {
        String version = "";
        String next = "";
        if (!json.nextRoot() || !json.atObject()) {
            throw new IOException("the list is no object");
        }
        json.entersObject();
        for (String member = json.nextName(); member != null; member = json.nextName()) {
            switch (member) {
                case "metadata" -> {
                    if (json.entersObject()) {
                        for (String inner = json.nextName(); inner != null; inner = json.nextName()) {
                            switch (inner) {
                                case "resourceVersion" -> version = json.text();
                                case "continue" -> next = json.text();
                                default -> json.skip();
                            }
                        }
                    }
                }
                case "items" -> items(json, reader, each);
                default -> json.skip();
            }
        }
        return new ListPage(version, next);
    }

    private static <T> void items(JsonCursor json, ObjectReader<T> reader, Consumer<ObjectReader.Item<T>> each) {
        if (!json.entersArray()) {
            return;
        }
        while (json.nextItem()) {
            if (json.atObject()) {
                each.accept(reader.read(json));
            } else {
                json.skip();
            }
        }
    }
}

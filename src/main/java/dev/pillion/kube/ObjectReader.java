package dev.pillion.kube;

import java.util.Optional;

import tools.jackson.core.JsonParser;

/** Reads one object of a kind from a stream. */
interface ObjectReader<T> {
    /** Called on the object's first token, ends on its last. Throws only when the stream itself breaks. */
    Item<T> read(JsonParser parser);

    /**
     * An object with what the watch itself needs to know of it.
     *
     * @param value empty when the object could not be understood; it is then passed over
     */
    record Item<T>(String key, String version, Optional<T> value) {
    }
}

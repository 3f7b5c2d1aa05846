package dev.pillion.kube;

import java.util.Optional;

/** Reads one object of a kind from a stream. */
interface ObjectReader<T> {
    /** Called before the object, ends behind it. Throws only when the stream itself breaks. */
    Item<T> read(JsonCursor json);

    /** Reads the object of a watch's event, which need not be read again when that very version is known. */
    default Item<T> event(JsonCursor json) {
        return read(json);
    }

    /**
     * An object with what the watch itself needs to know of it.
     *
     * @param value empty when the object could not be understood; it is then passed over
     */
    record Item<T>(String key, String version, Optional<T> value) {
    }
}

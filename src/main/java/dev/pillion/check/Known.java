package dev.pillion.check;

import java.util.Optional;
import java.util.function.Function;

/** Something read from the cluster, or why it could not be. */
public sealed interface Known<T> {
    /** It was read. */
    record Seen<T>(T value) implements Known<T> {
    }

    /**
     * It may not be read.
     *
     * @param what things in the plural, for a sentence
     * @param right verb and resource that the reader lacks
     */
    record Hidden<T>(String what, String right, String why) implements Known<T> {
    }

    static <T> Known<T> seen(T value) {
        return new Seen<>(value);
    }

    /** What a function finds in it; what is hidden has nothing to offer. */
    default <R> Optional<R> map(Function<T, R> function) {
        return switch (this) {
            case Seen<T>(T value) -> Optional.of(function.apply(value));
            case Hidden<T> _ -> Optional.empty();
        };
    }

    /** The value, or another one when it is hidden. */
    default T orElse(T otherwise) {
        return map(Function.identity()).orElse(otherwise);
    }
}

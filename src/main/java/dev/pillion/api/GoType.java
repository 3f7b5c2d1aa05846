package dev.pillion.api;

/** The types of the member tables: how a JSON value decodes and encodes in the reference's typed structs (api.md 6). */
sealed interface GoType {

    /** Types written as one word. */
    enum Leaf implements GoType {
        TEXT("string"), BOOL("bool"), INT32("int32"), INT64("int64"), QUANTITY("Quantity"), INT_OR_STRING("IntOrString"), TIME("Time");

        private final String word;

        Leaf(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** Absent differs from zero. */
    record Pointer(GoType target) implements GoType {
    }

    record ListOf(GoType item) implements GoType {
    }

    record MapOf(GoType value) implements GoType {
    }

    /** A type of the same table, named because types are declared in any order. */
    record Struct(String name) implements GoType {
    }

    /** Passed through as it is. */
    record Raw() implements GoType {
    }
}

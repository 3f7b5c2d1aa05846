package dev.pillion.sandbox;

/** One fault in an object, as `details.causes` of a Status names it. */
record Cause(String reason, String field, String message) {

    static Cause required(String field, String text) {
        return new Cause("FieldValueRequired", field, text.isEmpty() ? "Required value" : "Required value: " + text);
    }

    /** @param value the refused value as JSON text */
    static Cause invalid(String field, String value, String text) {
        return new Cause("FieldValueInvalid", field, "Invalid value: " + value + ": " + text);
    }

    static Cause duplicate(String field, String value) {
        return new Cause("FieldValueDuplicate", field, "Duplicate value: " + value);
    }

    static Cause notFound(String field, String value) {
        return new Cause("FieldValueNotFound", field, "Not found: " + value);
    }

    static Cause notSupported(String field, String value, String supported) {
        return new Cause("FieldValueNotSupported", field, "Unsupported value: " + value + ": supported values: " + supported);
    }

    static Cause forbidden(String field, String text) {
        return new Cause("FieldValueForbidden", field, "Forbidden: " + text);
    }

    static Cause tooLong(String field, int limit) {
        return new Cause("FieldValueTooLong", field, "Too long: may not be more than " + limit + " bytes");
    }
}

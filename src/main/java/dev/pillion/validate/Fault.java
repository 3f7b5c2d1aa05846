package dev.pillion.validate;

/** One broken rule: kind as in Kubernetes' field errors, path of the field, and a text of our own with the way out. */
public record Fault(Kind kind, String field, String text) {
    /** Names of k8s.io/apimachinery's field error types. */
    public enum Kind {
        REQUIRED("FieldValueRequired"), INVALID("FieldValueInvalid"), NOT_SUPPORTED("FieldValueNotSupported"), FORBIDDEN(
                "FieldValueForbidden"), DUPLICATE(
                        "FieldValueDuplicate"), NOT_FOUND("FieldValueNotFound"), TOO_LONG("FieldValueTooLong"), INTERNAL("InternalError");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** The word of metav1 StatusCause.reason. */
        public String word() {
            return word;
        }
    }
}

package dev.pillion.kube;

/** A request to the API server failed. code is the HTTP status, or 0 when there was no answer; reason is metav1 Status.reason or "". */
public final class KubeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final boolean uidMismatch;

    /** @param uidMismatch whether a 422 names metadata.uid: the object was replaced by another of the same name (stack.md, Writes) */
    public KubeException(int code, String reason, boolean uidMismatch, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.uidMismatch = uidMismatch;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /**
     * Whether an admission webhook said no, with any code it likes, or could not be asked (500). Nothing was stored; the API server has no
     * other sign of it than its words.
     */
    public boolean isStoppedByWebhook() {
        String message = String.valueOf(getMessage());
        return message.contains("admission webhook \"") || message.contains("failed calling webhook");
    }

    public boolean isConflict() {
        return code == 409 && !reason.equals("AlreadyExists");
    }

    public boolean isGone() {
        return code == 404 || uidMismatch;
    }

    /** No answer, or one that says try later: the write may have happened. */
    public boolean isUnavailable() {
        return code == 0 || code == 429 || code >= 500;
    }

    public boolean isAlreadyExists() {
        return code == 409 && reason.equals("AlreadyExists");
    }
}

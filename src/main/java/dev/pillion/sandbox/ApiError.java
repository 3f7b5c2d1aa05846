package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A refused request: becomes a metav1 Status with the code and the reason that a real API server gives. Thrown to the edge of the server, caught there. */
final class ApiError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;
    private final String reason;
    private final transient @Nullable ObjectNode details;
    private final transient @Nullable ObjectNode listMeta;

    private ApiError(int code, String reason, String message, @Nullable ObjectNode details, @Nullable ObjectNode listMeta) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
        this.listMeta = listMeta;
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** The Status object of the answer. */
    ObjectNode toStatus() {
        ObjectNode status = Trees.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.set("metadata", listMeta == null ? Trees.object() : listMeta.deepCopy());
        status.put("status", "Failure").put("message", text());
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        if (details != null) {
            status.set("details", details.deepCopy());
        }
        return status.put("code", code);
    }

    static ApiError of(int code, String reason, String message) {
        return new ApiError(code, reason, message, null, null);
    }

    /** An error whose details the caller has built, such as the answer of an admission webhook. */
    static ApiError of(int code, String reason, String message, ObjectNode details) {
        return new ApiError(code, reason, message, details, null);
    }

    /** A plain failure inside of the server, which has no reason. */
    static ApiError failure(String message) {
        return of(500, "", message);
    }

    static ApiError badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    static ApiError notFound(ResourceType type, String name) {
        return named(404, "NotFound", type, name, type.qualifiedName() + " \"" + name + "\" not found");
    }

    /** The answer to a path that the server does not know. */
    static ApiError unknownPath() {
        return new ApiError(404, "NotFound", "the server could not find the requested resource", Trees.object(), null);
    }

    static ApiError alreadyExists(ResourceType type, String name) {
        return named(409, "AlreadyExists", type, name, type.qualifiedName() + " \"" + name + "\" already exists");
    }

    static ApiError conflict(ResourceType type, String name, String text) {
        return named(409, "Conflict", type, name,
                "Operation cannot be fulfilled on " + type.qualifiedName() + " \"" + name + "\": " + text);
    }

    /** The 409 of a write with an old resourceVersion. */
    static ApiError stale(ResourceType type, String name) {
        return conflict(type, name, "the object has been modified; please apply your changes to the latest version and try again");
    }

    static ApiError forbidden(ResourceType type, String name, String text) {
        return named(403, "Forbidden", type, name, type.qualifiedName() + " \"" + name + "\" is forbidden: " + text);
    }

    /** Forbidden with a cause, such as NamespaceTerminating. */
    static ApiError forbidden(ResourceType type, String name, String text, Cause cause) {
        ApiError plain = forbidden(type, name, text);
        ObjectNode details = details(type, name);
        details.set("causes", causes(List.of(cause)));
        return new ApiError(plain.code, plain.reason, plain.text(), details, null);
    }

    /** The 422 of a PUT that must name a resourceVersion: it names the resource where others name the kind. */
    static ApiError revisionMissing(ResourceType type, String name) {
        ObjectNode details = details(type, name);
        Cause fault = Cause.invalid("metadata.resourceVersion", "0", "must be specified for an update");
        details.set("causes", causes(List.of(fault)));
        return new ApiError(422, "Invalid",
                type.qualifiedName() + " \"" + name + "\" is invalid: " + fault.field() + ": " + fault.message(), details, null);
    }

    static ApiError invalid(ResourceType type, String name, List<Cause> faults) {
        ObjectNode details = details(type, name);
        details.put("kind", type.kind());
        if (type.group().equals("events.k8s.io")) {
            // The server knows events by their first group only.
            details.remove("group");
        }
        details.set("causes", causes(faults));
        List<String> texts = new ArrayList<>();
        for (Cause fault : faults) {
            String text = fault.field() + ": " + fault.message();
            if (!texts.contains(text)) {
                texts.add(text);
            }
        }
        String joined = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        String kind = details.path("group").isMissingNode() ? type.kind() : type.kind() + "." + type.group();
        return new ApiError(422, "Invalid", kind + " \"" + name + "\" is invalid: " + joined, details, null);
    }

    static ApiError methodNotAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", Trees.object());
    }

    static ApiError unsupportedMediaType(List<String> accepted) {
        return of(415, "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: " + String.join(", ", accepted));
    }

    /** The 422 of an option in the URL that has no such value. */
    static ApiError invalidOption(String optionsKind, Cause cause) {
        ObjectNode details = Trees.object().put("group", "meta.k8s.io").put("kind", optionsKind);
        details.set("causes", causes(List.of(cause)));
        return new ApiError(422, "Invalid", optionsKind + ".meta.k8s.io \"\" is invalid: " + cause.field() + ": " + cause.message(),
                details, null);
    }

    /** The 409 of a DELETE whose precondition does not hold; names the kind where other conflicts name the resource. */
    static ApiError precondition(ResourceType type, String name, String text) {
        ObjectNode details = details(type, name).put("kind", type.kind());
        String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
        return new ApiError(409, "Conflict", "Operation cannot be fulfilled on " + kind + " \"" + name + "\": " + text, details, null);
    }

    static ApiError notAcceptable() {
        return of(406, "NotAcceptable", "only the following media types are accepted: application/json");
    }

    /** HTTP 410 of a list, and the ERROR event of a watch, when the asked resourceVersion is no longer known. */
    static ApiError expired(String message) {
        return of(410, "Expired", message);
    }

    /** 410 of an old continue token with a fresh one for the (inconsistent) rest of the list. */
    static ApiError expired(String message, String freshContinue) {
        ObjectNode meta = Trees.object();
        meta.put("continue", freshContinue);
        return new ApiError(410, "Expired", message, null, meta);
    }

    static ApiError tooManyRequests(String message, Cause cause) {
        ObjectNode details = Trees.object();
        details.set("causes", causes(List.of(cause)));
        return new ApiError(429, "TooManyRequests", message, details, null);
    }

    static ApiError internal(String message) {
        ObjectNode details = Trees.object();
        details.set("causes", Trees.array().add(Trees.object().put("message", message)));
        return new ApiError(500, "InternalError", "Internal error occurred: " + message, details, null);
    }

    private static ApiError named(int code, String reason, ResourceType type, String name, String message) {
        return new ApiError(code, reason, message, details(type, name), null);
    }

    private static ObjectNode details(ResourceType type, String name) {
        ObjectNode details = Trees.object();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        return details.put("kind", type.plural());
    }

    private static ArrayNode causes(List<Cause> faults) {
        ArrayNode causes = Trees.array();
        for (Cause fault : faults) {
            causes.add(Trees.object().put("reason", fault.reason()).put("message", fault.message()).put("field", fault.field()));
        }
        return causes;
    }
}

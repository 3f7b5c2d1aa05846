package dev.pillion.admission;

import java.util.Base64;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.JsonBytes;
import dev.pillion.api.MemberTable;
import dev.pillion.api.TypedReader;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** AdmissionReview, v1 and v1beta1, from and to bytes (injection.md 1.4). Never throws on what comes from outside. */
final class ReviewCodec {
    static final String GROUP = "admission.k8s.io/";
    static final String V1 = GROUP + "v1";
    private static final String KIND = "AdmissionReview";
    private static final byte[] NO_PATCH = {};
    /** Bytes to begin with. */
    private static final int USUAL_PATCH = 8192;
    private static final int USUAL_REST = 512;

    private ReviewCodec() {
    }

    /** What the bytes turned out to be. */
    sealed interface Decoded {
        record Read(Review review) implements Decoded {
        }

        /** apiVersion and uid as far as they could be read, to answer with. */
        record Unread(String apiVersion, String uid, String why) implements Decoded {
        }
    }

    /** A reader of reviews of Pods. */
    static TypedReader podReader() {
        return new TypedReader(KIND, MemberTable.POD);
    }

    /** A review of a Pod: nearly all are well-formed and fit, and then little of them needs to become a tree. */
    static Decoded decodePod(byte[] body, TypedReader reader) {
        Optional<ObjectNode> root = reader.read(body);
        return root.isPresent() ? review(root.get()) : decode(body);
    }

    static Decoded decode(byte[] body) {
        JsonNode root;
        try {
            root = Json.read(body);
        } catch (JacksonException e) {
            return new Decoded.Unread(V1, scanForUid(body), "the request body is no JSON: " + e.getOriginalMessage());
        }
        if (root == null || !root.isObject()) {
            return new Decoded.Unread(V1, "", body.length == 0 ? "the request body is empty" : "the request body is no JSON object");
        }
        return review(root);
    }

    private static Decoded review(JsonNode root) {
        String apiVersion = Json.text(root, "apiVersion");
        JsonNode request = root.path("request");
        String uid = Json.text(request, "uid");
        boolean known = apiVersion.equals(V1) || apiVersion.equals(GROUP + "v1beta1");
        if (!known || !Json.text(root, "kind").equals(KIND)) {
            return new Decoded.Unread(known ? apiVersion : V1, uid,
                    "the request body is no AdmissionReview of " + V1 + " or " + GROUP + "v1beta1");
        }
        if (!request.isObject()) {
            return new Decoded.Unread(apiVersion, uid, "the AdmissionReview has no request");
        }
        if (uid.isEmpty()) {
            return new Decoded.Unread(apiVersion, uid, "the AdmissionReview's request has no uid");
        }
        JsonNode kind = request.path("kind");
        return new Decoded.Read(new Review(apiVersion, uid, Json.text(request, "operation"), Json.text(kind, "version"),
                Json.text(kind, "kind"), Json.text(request.path("resource"), "resource"), Json.text(request, "subResource"),
                Json.text(request, "namespace"), Json.text(request, "name"),
                request.path("dryRun").asBoolean(false) ? Review.DryRun.YES : Review.DryRun.NO, object(request, "object"),
                object(request, "oldObject")));
    }

    private static Optional<ObjectNode> object(JsonNode request, String member) {
        return request.path(member) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    }

    /** The uid of a review that breaks off or breaks later: the API server then shows our text instead of "uid mismatch". */
    static String scanForUid(byte[] body) {
        try (JsonParser parser = Json.MAPPER.createParser(body)) {
            int depth = 0;
            boolean inRequest = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME && depth == 1) {
                    inRequest = parser.currentName().equals("request");
                } else if (token == JsonToken.VALUE_STRING && depth == 2 && inRequest && "uid".equals(parser.currentName())) {
                    return parser.getString();
                } else if (token.isStructStart()) {
                    depth++;
                } else if (token.isStructEnd()) {
                    depth--;
                }
            }
        } catch (JacksonException e) {
            // It breaks before the uid.
            return "";
        }
        return "";
    }

    /** The answer to a review; a refusal with causes names its object, since kubectl shows that instead of the message. */
    static byte[] encode(Review review, Answer answer) {
        return switch (answer) {
            case Answer.Allow allow -> admission(review.apiVersion(), review.uid(), allow);
            case Answer.Deny deny -> {
                ObjectNode status = status(deny);
                if (!deny.causes().isEmpty() && !review.name().isEmpty()) {
                    status.withObjectProperty("details").put("kind", review.kind()).put("name", review.name());
                }
                yield refusal(review.apiVersion(), review.uid(), deny, status);
            }
        };
    }

    /** The answer to what could not be read as a review. */
    static byte[] encode(String apiVersion, String uid, Answer answer) {
        return switch (answer) {
            case Answer.Allow allow -> admission(apiVersion, uid, allow);
            case Answer.Deny deny -> refusal(apiVersion, uid, deny, status(deny));
        };
    }

    private static byte[] refusal(String apiVersion, String uid, Answer.Deny deny, ObjectNode status) {
        return end(begin(apiVersion, uid).plain("false,\"status\":").value(status), deny).toBytes();
    }

    private static byte[] admission(String apiVersion, String uid, Answer.Allow allow) {
        JsonBytes head = begin(apiVersion, uid).plain("true,\"status\":{\"metadata\":{},\"code\":200}");
        JsonBytes tail = new JsonBytes(USUAL_REST);
        byte[] patch = NO_PATCH;
        if (!allow.ops().isEmpty()) {
            head.plain(",\"patchType\":\"JSONPatch\",\"patch\":\"");
            patch = base64(new JsonBytes(USUAL_PATCH).patch(allow.ops()));
            tail.plain("\"");
        }
        return JsonBytes.join(head, patch, end(tail, allow));
    }

    /** The JDK makes it twenty times as fast as Jackson does. */
    private static byte[] base64(JsonBytes patch) {
        return Base64.getEncoder().encode(patch.asBuffer()).array();
    }

    private static JsonBytes begin(String apiVersion, String uid) {
        return new JsonBytes(USUAL_REST).plain("{\"kind\":\"AdmissionReview\",\"apiVersion\":").string(apiVersion)
                .plain(",\"response\":{\"uid\":").string(uid).plain(",\"allowed\":");
    }

    private static JsonBytes end(JsonBytes out, Answer answer) {
        if (!answer.warnings().isEmpty()) {
            ArrayNode warnings = Json.NODES.arrayNode();
            answer.warnings().forEach(warnings::add);
            out.plain(",\"warnings\":").value(warnings);
        }
        return out.plain("}}");
    }

    private static ObjectNode status(Answer.Deny deny) {
        ObjectNode status = Json.object();
        status.putObject("metadata");
        status.put("status", "Failure").put("message", deny.message()).put("reason", deny.reason()).put("code", deny.code());
        if (!deny.causes().isEmpty() || deny.retryAfterSeconds().isPresent()) {
            ObjectNode details = status.putObject("details");
            deny.retryAfterSeconds().ifPresent(s -> details.put("retryAfterSeconds", s));
            if (!deny.causes().isEmpty()) {
                ArrayNode causes = details.putArray("causes");
                deny.causes()
                        .forEach(c -> causes.addObject().put("reason", c.reason()).put("message", c.message()).put("field", c.field()));
            }
        }
        return status;
    }
}

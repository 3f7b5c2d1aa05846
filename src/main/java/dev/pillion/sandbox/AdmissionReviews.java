package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.pillion.sandbox.AdmissionAttributes.Persistence;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes AdmissionReview requests (admission.k8s.io/v1) and reads their answers. */
final class AdmissionReviews {
    private static final String GROUP = "admission.k8s.io/";

    private AdmissionReviews() {
    }

    /**
     * A webhook's orderly answer.
     *
     * @param patch operations of a JSON Patch; empty when nothing is to be changed
     * @param status `response.status` of a denial
     */
    record Answer(boolean allowed, Optional<JsonNode> patch, List<String> warnings, JsonNode status) {
    }

    /** Builds the review of a write whose objects are in the given version. */
    static ObjectNode request(Webhook webhook, AdmissionAttributes write, String version, @Nullable ObjectNode object,
            @Nullable ObjectNode old, String uid) {
        ObjectNode review = Trees.object();
        review.put("kind", "AdmissionReview").put("apiVersion", GROUP + webhook.reviewVersion());
        ObjectNode request = review.putObject("request").put("uid", uid);
        request.set("kind", kind(write.type(), version));
        request.set("resource", resource(write.type(), version));
        request.set("requestKind", kind(write.type(), write.version()));
        request.set("requestResource", resource(write.type(), write.version()));
        if (!write.subresource().isEmpty()) {
            request.put("subResource", write.subresource()).put("requestSubResource", write.subresource());
        }
        if (!write.name().isEmpty()) {
            request.put("name", write.name());
        }
        String namespace = Webhook.isNamespace(write) ? write.name() : write.namespace();
        if (!namespace.isEmpty()) {
            request.put("namespace", namespace);
        }
        request.put("operation", write.operation().name());
        ObjectNode user = request.putObject("userInfo").put("username", write.caller().user());
        ArrayNode groups = user.putArray("groups");
        write.caller().groups().forEach(groups::add);
        put(request, "object", object);
        put(request, "oldObject", old);
        request.put("dryRun", write.persistence() == Persistence.DRY_RUN);
        request.set("options", write.options());
        return review;
    }

    /** Reads an answer; what is no valid review fails the call. */
    static Answer answer(Webhook webhook, ObjectNode review, String uid) throws WebhookCalls.Failed {
        String version = GROUP + webhook.reviewVersion();
        if (!version.equals(Trees.text(review, "apiVersion")) || !"AdmissionReview".equals(Trees.text(review, "kind"))) {
            throw invalid("expected webhook response of " + version + ", Kind=AdmissionReview, got " + shown(review));
        }
        JsonNode response = review.path("response");
        if (!response.isObject()) {
            throw new WebhookCalls.Failed("failed calling webhook \"" + webhook.name() + "\": webhook response was absent");
        }
        if (!uid.equals(Trees.text(response, "uid")) && version.endsWith("/v1")) {
            throw invalid("expected response.uid=\"" + uid + "\", got \"" + Trees.text(response, "uid") + "\"");
        }
        List<String> warnings = new ArrayList<>();
        response.path("warnings").forEach(warning -> warnings.add(warning.stringValue("")));
        boolean allowed = response.path("allowed").booleanValue(false);
        return new Answer(allowed, patch(response), warnings, response.path("status"));
    }

    private static Optional<JsonNode> patch(JsonNode response) throws WebhookCalls.Failed {
        String encoded = Trees.text(response, "patch");
        String type = Trees.text(response, "patchType");
        if (encoded.isEmpty()) {
            return Optional.empty();
        }
        if (!Set.of("JSONPatch").contains(type)) {
            throw invalid(type.isEmpty()
                    ? "webhook returned response.patch but not response.patchType"
                    : "webhook returned invalid response.patchType of \"" + type + "\"");
        }
        try {
            return Optional.of(Trees.MAPPER.readTree(Base64.getDecoder().decode(encoded)));
        } catch (IllegalArgumentException e) {
            throw new WebhookCalls.Failed("illegal base64 data: " + e.getMessage());
        } catch (JacksonException e) {
            throw ApiError.internal(e.getOriginalMessage());
        }
    }

    private static WebhookCalls.Failed invalid(String text) {
        return new WebhookCalls.Failed("received invalid webhook response: " + text);
    }

    private static String shown(JsonNode review) {
        return Trees.text(review, "apiVersion") + ", Kind=" + Trees.text(review, "kind");
    }

    private static ObjectNode kind(ResourceType type, String version) {
        return Trees.object().put("group", type.group()).put("version", version).put("kind", type.kind());
    }

    private static ObjectNode resource(ResourceType type, String version) {
        return Trees.object().put("group", type.group()).put("version", version).put("resource", type.plural());
    }

    private static void put(ObjectNode request, String member, @Nullable ObjectNode object) {
        if (object == null) {
            request.putNull(member);
        } else {
            request.set(member, object);
        }
    }
}

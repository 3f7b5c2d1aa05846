package dev.pillion.sandbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Custom objects from one version to another, by `spec.conversion` of their CustomResourceDefinition: by renaming or by a ConversionReview. */
final class Conversion {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private final WebhookCalls calls;
    private final ObjectStore store;

    Conversion(WebhookCalls calls, ObjectStore store) {
        this.calls = calls;
        this.store = store;
    }

    /** Answers the objects, all of one version, in the wanted apiVersion. Throws 500 when the webhook fails. */
    List<ObjectNode> convert(JsonNode conversion, String kind, List<ObjectNode> objects, String apiVersion) {
        if (objects.isEmpty() || objects.stream().allMatch(object -> Trees.text(object, "apiVersion").equals(apiVersion))) {
            return objects;
        }
        if (!"Webhook".equals(Trees.text(conversion, "strategy"))) {
            objects.forEach(object -> object.put("apiVersion", apiVersion));
            return objects;
        }
        String from = Trees.text(objects.getFirst(), "apiVersion");
        try {
            return answered(conversion.path("webhook"), objects, apiVersion);
        } catch (WebhookCalls.Failed e) {
            String group = from.contains("/") ? from.substring(0, from.indexOf('/')) : "";
            String version = from.substring(from.indexOf('/') + 1);
            String name = (group.isEmpty() ? "" : group + "/") + version + ", Kind=" + kind;
            throw ApiError.of(500, "", "conversion webhook for " + name + " failed: " + e.text());
        }
    }

    private List<ObjectNode> answered(JsonNode webhook, List<ObjectNode> objects, String apiVersion) throws WebhookCalls.Failed {
        String reviewVersion = reviewVersion(webhook.path("conversionReviewVersions"));
        String uid = UUID.randomUUID().toString();
        ObjectNode review = Trees.object();
        review.put("kind", "ConversionReview").put("apiVersion", "apiextensions.k8s.io/" + reviewVersion);
        ObjectNode request = review.putObject("request");
        request.put("uid", uid).put("desiredAPIVersion", apiVersion).set("objects", Trees.array().addAll(objects));
        WebhookTarget target = WebhookTarget.of(webhook.path("clientConfig"), store);
        JsonNode response = calls.post(target, review, TIMEOUT).path("response");
        if (!response.isObject()) {
            throw new WebhookCalls.Failed("no response provided");
        }
        if (!uid.equals(Trees.text(response, "uid"))) {
            throw new WebhookCalls.Failed("expected response.uid=\"" + uid + "\", got \"" + Trees.text(response, "uid") + "\"");
        }
        JsonNode result = response.path("result");
        if (!"Success".equals(Trees.text(result, "status"))) {
            String message = Trees.text(result, "message");
            throw new WebhookCalls.Failed(message.isEmpty()
                    ? "expected response.result.status != 'Success', got '" + Trees.text(result, "status") + "'"
                    : message);
        }
        JsonNode converted = response.path("convertedObjects");
        if (!(converted instanceof ArrayNode) || converted.size() != objects.size()) {
            throw new WebhookCalls.Failed("webhook returned " + converted.size() + " objects, expected " + objects.size());
        }
        List<ObjectNode> answers = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            answers.add(accepted(objects.get(i), converted.get(i), i, apiVersion));
        }
        return answers;
    }

    /** Only labels and annotations of the metadata may be changed by a conversion; name and uid must stay, the rest is put back. */
    private static ObjectNode accepted(ObjectNode original, JsonNode converted, int index, String apiVersion) throws WebhookCalls.Failed {
        if (!(converted instanceof ObjectNode object)) {
            throw new WebhookCalls.Failed("invalid type in converted object at index " + index);
        }
        if (!apiVersion.equals(Trees.text(object, "apiVersion"))) {
            throw new WebhookCalls.Failed(
                    "webhook returned invalid converted object at index " + index + ": invalid groupVersion, expected " + apiVersion
                            + ", got " + Trees.text(object, "apiVersion"));
        }
        JsonNode changed = object.path("metadata");
        for (String member : List.of("name", "namespace", "uid")) {
            if (!Trees.text(original, "metadata", member).equals(Trees.text(changed, member))) {
                throw new WebhookCalls.Failed("webhook returned invalid metadata at index " + index + ": must have same " + member);
            }
        }
        ObjectNode metadata = Trees.metadata(original).deepCopy();
        Trees.setOrRemove(metadata, "labels", changed.path("labels"));
        Trees.setOrRemove(metadata, "annotations", changed.path("annotations"));
        object.set("metadata", metadata);
        return object;
    }

    private static String reviewVersion(JsonNode versions) {
        for (JsonNode version : versions) {
            if (version.stringValue("").equals("v1") || version.stringValue("").equals("v1beta1")) {
                return version.stringValue("");
            }
        }
        return "v1";
    }
}

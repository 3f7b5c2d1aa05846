package dev.pillion.admission;

import java.nio.charset.StandardCharsets;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Builds the bytes of AdmissionReviews as an API server sends them. */
final class ReviewTexts {
    private ReviewTexts() {
    }

    static ObjectNode pod(String operation, String pod) {
        return review("", "v1", "Pod", "pods", operation, pod);
    }

    static ObjectNode set(String operation, String version, String set) {
        return review("apps.kruise.io", version, "SidecarSet", "sidecarsets", operation, set);
    }

    private static ObjectNode review(String group, String version, String kind, String resource, String operation, String object) {
        ObjectNode root = Json.object().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = root.putObject("request").put("uid", "uid-1");
        request.putObject("kind").put("group", group).put("version", version).put("kind", kind);
        request.putObject("resource").put("group", group).put("version", version).put("resource", resource);
        request.put("namespace", kind.equals("Pod") ? "shop" : "").put("operation", operation).put("dryRun", false);
        JsonNode node = Json.read(object);
        request.put("name", Json.text(node.path("metadata"), "name"));
        request.set("object", node);
        return root;
    }

    static byte[] bytes(JsonNode review) {
        return Json.write(review).getBytes(StandardCharsets.UTF_8);
    }
}

package dev.pillion.admission;

import dev.pillion.api.Conversion;
import dev.pillion.api.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The conversion webhook: ConversionReview, v1 and v1beta1, from and to bytes (api.md 3). All objects convert or none. */
final class ConversionCodec {
    private static final String GROUP = "apiextensions.k8s.io/";
    private static final String KIND = "ConversionReview";

    private ConversionCodec() {
    }

    static Reply answer(byte[] body) {
        JsonNode root;
        try {
            root = Json.read(body);
        } catch (JacksonException e) {
            return failure(GROUP + "v1", ReviewCodec.scanForUid(body), "the request body is no JSON: " + e.getOriginalMessage());
        }
        if (root == null || !root.isObject()) {
            return failure(GROUP + "v1", "", "the request body is no ConversionReview");
        }
        String apiVersion = Json.text(root, "apiVersion");
        boolean known = apiVersion.equals(GROUP + "v1") || apiVersion.equals(GROUP + "v1beta1");
        JsonNode request = root.path("request");
        String uid = Json.text(request, "uid");
        if (!known || !Json.text(root, "kind").equals(KIND) || !request.isObject()) {
            return failure(known ? apiVersion : GROUP + "v1", uid, "the request body is no ConversionReview with a request");
        }
        ArrayNode converted = Json.NODES.arrayNode();
        String wanted = Json.text(request, "desiredAPIVersion");
        for (JsonNode object : request.path("objects")) {
            switch (Conversion.convert(object, wanted, Conversion.Mode.LOSSLESS)) {
                case Conversion.Outcome.Converted(ObjectNode result) -> converted.add(result);
                case Conversion.Outcome.Refused(String message) -> {
                    return failure(apiVersion, uid, message);
                }
            }
        }
        ObjectNode answer = envelope(apiVersion);
        ObjectNode response = answer.putObject("response");
        response.put("uid", uid).set("convertedObjects", converted);
        response.putObject("result").put("status", "Success").putObject("metadata");
        return new Reply(Json.bytes(answer), 200);
    }

    /** After a fault of the program; the log has the details. */
    static Reply fault(byte[] body) {
        return failure(GROUP + "v1", ReviewCodec.scanForUid(body), "Pillion failed on this request; its log tells why");
    }

    private static ObjectNode envelope(String apiVersion) {
        return Json.object().put("kind", KIND).put("apiVersion", apiVersion);
    }

    private static Reply failure(String apiVersion, String uid, String message) {
        ObjectNode answer = envelope(apiVersion);
        ObjectNode response = answer.putObject("response");
        response.put("uid", uid).putArray("convertedObjects");
        ObjectNode result = response.putObject("result");
        result.put("status", "Failure").put("message", message).putObject("metadata");
        return new Reply(Json.bytes(answer), 400);
    }
}

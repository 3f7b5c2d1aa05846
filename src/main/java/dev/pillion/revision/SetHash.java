package dev.pillion.revision;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import dev.pillion.api.GoJson;
import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The two hashes of a set that its annotations and those of its pods hold (api.md 5). The set must carry its defaults already; both
 * API versions give the same bytes.
 */
public final class SetHash {
    private SetHash() {
    }

    /** 64 characters over containers, and over all init containers as soon as one of them is a native sidecar. */
    public static String hash(JsonNode object) {
        return ofSpec(object.path("spec"));
    }

    /** The same with every image blank. Compatible: api.md trap 10, hotUpgradeEmptyImage still counts. */
    public static String hashWithoutImage(JsonNode object) {
        return ofSpecWithoutImage(object.path("spec"));
    }

    static String ofSpec(JsonNode spec) {
        return digest(bytes(spec.path("containers"), spec.path("initContainers")));
    }

    static String ofSpecWithoutImage(JsonNode spec) {
        return digest(bytes(withoutImages(spec.path("containers")), withoutImages(spec.path("initContainers"))));
    }

    /** The text that is hashed. Absent containers are null, an empty list is [] (api.md trap 2). */
    static String bytes(JsonNode containers, JsonNode initContainers) {
        String text = "{\"containers\":" + GoJson.encodeTyped(containers, "[]SidecarContainer", MemberTable.V1BETA1);
        for (JsonNode container : initContainers) {
            if (Json.text(container, "restartPolicy").equals("Always")) {
                return text + ",\"initContainers\":" + GoJson.encodeTyped(initContainers, "[]SidecarContainer", MemberTable.V1BETA1) + "}";
            }
        }
        return text + "}";
    }

    private static JsonNode withoutImages(JsonNode containers) {
        JsonNode copy = containers.deepCopy();
        for (JsonNode container : copy) {
            if (container instanceof ObjectNode object) {
                object.remove("image");
            }
        }
        return copy;
    }

    private static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return SafeEncoding.of(HexFormat.of().formatHex(sum));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}

package dev.pillion.kube;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A TLS Secret. A change is a merge patch with uid and resourceVersion: it never creates a deleted Secret anew and keeps others' labels. */
final class HttpSharedSecret implements SharedSecret {
    private static final String TYPE = "kubernetes.io/tls";

    private final RawApi api;
    private final String namespace;
    private final String name;

    HttpSharedSecret(RawApi api, String namespace, String name) {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public Optional<Stored> read() {
        try {
            ObjectNode secret = api.getTree(collection() + "/" + RawApi.encode(name));
            JsonNode metadata = secret.path("metadata");
            return Optional.of(new Stored(Json.text(metadata, "uid"), Json.text(metadata, "resourceVersion"), texts(secret.path("data"))));
        } catch (KubeException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw named("read", e);
        }
    }

    private static Map<String, String> texts(JsonNode data) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : data.properties()) {
            text(entry.getValue().asString("")).ifPresent(t -> texts.put(entry.getKey(), t));
        }
        return texts;
    }

    private static Optional<String> text(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (IllegalArgumentException | CharacterCodingException _) {
            return Optional.empty();
        }
    }

    @Override
    public void create(Map<String, String> data) {
        ObjectNode secret = Json.object().put("apiVersion", "v1").put("kind", "Secret").put("type", TYPE);
        secret.putObject("metadata").put("name", name).put("namespace", namespace).putObject("labels").put("app.kubernetes.io/managed-by",
                "pillion");
        put(secret.putObject("data"), data);
        send("POST", collection(), RawApi.JSON, secret);
    }

    @Override
    public void replace(Stored known, Map<String, String> data) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", known.uid()).put("resourceVersion", known.version());
        ObjectNode entries = patch.putObject("data");
        known.data().keySet().forEach(entries::putNull);
        put(entries, data);
        send("PATCH", collection() + "/" + RawApi.encode(name), RawApi.MERGE, patch);
    }

    private static void put(ObjectNode entries, Map<String, String> data) {
        data.forEach((key, text) -> entries.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    }

    private void send(String method, String path, String contentType, ObjectNode body) {
        try {
            api.send(method, path, contentType, Json.write(body));
        } catch (KubeException e) {
            throw named("written", e);
        }
    }

    private KubeException named(String deed, KubeException cause) {
        KubeException named = new KubeException(cause.code(), cause.reason(), cause.isGone() && cause.code() != 404,
                "the Secret " + namespace + "/" + name + " could not be " + deed + ": " + cause.getMessage());
        named.initCause(cause);
        return named;
    }

    private String collection() {
        return "/api/v1/namespaces/" + RawApi.encode(namespace) + "/secrets";
    }
}

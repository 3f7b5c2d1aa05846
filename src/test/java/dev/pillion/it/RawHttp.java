package dev.pillion.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plain requests with the credentials of a client, for what typed calls hide: status codes, bodies, warnings. */
public record RawHttp(KubernetesClient client) {

    public record Answer(int code, JsonNode body, List<String> warnings, String retryAfter) {
        public String message() {
            return body.path("message").stringValue("");
        }

        public String reason() {
            return body.path("reason").stringValue("");
        }

        /** The causes as "reason field: message". */
        public List<String> causes() {
            List<String> causes = new ArrayList<>();
            body.at("/details/causes")
                    .forEach(cause -> causes.add(cause.path("reason").stringValue("") + " " + cause.path("field").stringValue("") + ": "
                            + cause.path("message").stringValue("")));
            return causes;
        }
    }

    public Answer get(String path) {
        return send("GET", path, "application/json", null);
    }

    public Answer post(String path, String body) {
        return send("POST", path, "application/json", body);
    }

    public Answer put(String path, String body) {
        return send("PUT", path, "application/json", body);
    }

    public Answer delete(String path) {
        return send("DELETE", path, "application/json", null);
    }

    public Answer merge(String path, String body) {
        return send("PATCH", path, "application/merge-patch+json", body);
    }

    /** Server-side apply by a field manager. */
    public Answer apply(String path, String manager, String body) {
        return send("PATCH", path + "?fieldManager=" + manager, "application/apply-patch+yaml", body);
    }

    public Answer force(String path, String manager, String body) {
        return send("PATCH", path + "?force=true&fieldManager=" + manager, "application/apply-patch+yaml", body);
    }

    /** The events of a watch that ends by its timeoutSeconds. */
    List<JsonNode> watch(String path) {
        List<JsonNode> events = new ArrayList<>();
        new String(response("GET", path, "application/json", null).body(), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank())
                .forEach(line -> events.add(tree(line)));
        return events;
    }

    public Answer send(String method, String path, String contentType, @Nullable String body) {
        HttpResponse<byte[]> response = response(method, path, contentType, body);
        return new Answer(response.code(), tree(response.body()), response.headers("Warning"),
                response.headers("Retry-After").stream().findFirst().orElse(""));
    }

    private HttpResponse<byte[]> response(String method, String path, String contentType, @Nullable String body) {
        HttpRequest.Builder request = client.getHttpClient().newHttpRequestBuilder()
                .uri(client.getMasterUrl().toString().replaceAll("/$", "") + path)
                .timeout(30, TimeUnit.SECONDS);
        if (body == null) {
            request.method(method, null, null);
        } else {
            request.method(method, contentType, body);
        }
        return client.getHttpClient().sendAsync(request.build(), byte[].class).join();
    }

    static JsonNode tree(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static JsonNode tree(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            return JsonMapper.shared().createObjectNode().put("text", new String(body, StandardCharsets.UTF_8));
        }
    }
}

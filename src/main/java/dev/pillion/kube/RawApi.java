package dev.pillion.kube;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests as bytes through the client's HTTP transport, each with a deadline and without any retry (stack.md, Transport). Blocking; call it on virtual threads. */
final class RawApi {
    static final String STRATEGIC = "application/strategic-merge-patch+json";
    static final String MERGE = "application/merge-patch+json";
    static final String JSON = "application/json";
    /** The request's own timeout must fire first: it also frees the connection. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final KubernetesClient client;
    private final String base;
    private final Duration timeout;

    RawApi(KubernetesClient client, Duration timeout) {
        this.client = client;
        String url = client.getMasterUrl().toString();
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.timeout = timeout;
    }

    static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    byte[] get(String path) {
        return await(request(path).build());
    }

    ObjectNode getTree(String path) {
        return tree(get(path));
    }

    byte[] send(String method, String path, String contentType, String body) {
        return await(request(path).method(method, contentType, body).build());
    }

    static ObjectNode tree(byte[] body) {
        if (Json.tryRead(new String(body, StandardCharsets.UTF_8)).orElse(Json.NODES.missingNode()) instanceof ObjectNode object) {
            return object;
        }
        throw new KubeException(0, "BadAnswer", false, "the API server's answer is no JSON object");
    }

    /**
     * Opens a list or a watch. The deadline covers the head of the answer only; the caller guards the body.
     *
     * @throws KubeException also for answers other than 2xx, whose body is read here
     */
    InputStream open(String path) {
        HttpRequest request = request(path).forStreaming().build();
        BodyStream body = new BodyStream();
        HttpResponse<AsyncBody> response = join(client.getHttpClient().consumeBytes(request, body));
        body.begin(response.body());
        if (response.isSuccessful()) {
            return body;
        }
        try (body) {
            throw failure(response.code(), body.readNBytes(64 * 1024));
        } catch (IOException e) {
            throw new KubeException(response.code(), "", false, "HTTP " + response.code());
        }
    }

    private HttpRequest.Builder request(String path) {
        return client.getHttpClient().newHttpRequestBuilder().uri(base + path).header("Accept", JSON).timeout(timeout.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private byte[] await(HttpRequest request) {
        HttpResponse<byte[]> response = join(client.getHttpClient().sendAsync(request, byte[].class));
        byte[] body = response.body();
        if (!response.isSuccessful()) {
            throw failure(response.code(), body);
        }
        return body;
    }

    private <T> HttpResponse<T> join(CompletableFuture<HttpResponse<T>> answer) {
        try {
            return answer.get(timeout.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new KubeException(0, "Interrupted", false, "interrupted while waiting for the API server");
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new KubeException(0, "Timeout", false, "no complete answer from the API server within " + timeout);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            boolean late = cause.getClass().getSimpleName().contains("Timeout") || String.valueOf(cause.getMessage()).contains("timeout");
            KubeException failure = new KubeException(0, late ? "Timeout" : "Unreachable", false,
                    "request to the API server failed: " + cause);
            failure.initCause(cause);
            throw failure;
        }
    }

    /** Reads a metav1.Status, as far as there is one. */
    static KubeException failure(int code, byte[] body) {
        JsonNode status = Json.tryRead(new String(body, StandardCharsets.UTF_8)).orElse(Json.NODES.missingNode());
        boolean otherUid = false;
        for (JsonNode cause : status.path("details").path("causes")) {
            otherUid |= code == 422 && Json.text(cause, "field").equals("metadata.uid");
        }
        String message = Json.text(status, "message");
        return new KubeException(code, Json.text(status, "reason"), otherUid, message.isEmpty() ? "HTTP " + code : message);
    }
}

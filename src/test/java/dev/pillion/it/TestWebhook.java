package dev.pillion.it;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;

import dev.pillion.certs.CertMaker;
import dev.pillion.certs.Credentials;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A webhook server of a test: HTTPS on loopback, one function from the review's `request` to its `response`, every review kept. */
public final class TestWebhook implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final List<JsonNode> reviews = new CopyOnWriteArrayList<>();
    private final Credentials credentials = new CertMaker(new SecureRandom(), List.of("127.0.0.1", "localhost", "hook.default.svc"))
            .fresh(Instant.now());
    private final UnaryOperator<ObjectNode> answers;
    private final int port;

    /** @param answers makes the response without uid; a response with a member `http` is sent as that status code and nothing else */
    public TestWebhook(UnaryOperator<ObjectNode> answers) {
        this.answers = answers;
        HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(0).setSsl(true).setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions().addCertValue(Buffer.buffer(credentials.serving().certificatePem()))
                        .addKeyValue(Buffer.buffer(credentials.serving().keyPem())));
        this.port = vertx.createHttpServer(options).requestHandler(this::serve).listen().toCompletionStage().toCompletableFuture().join()
                .actualPort();
    }

    private void serve(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            ObjectNode review = (ObjectNode) JsonMapper.shared().readTree(body.getBytes());
            reviews.add(review.deepCopy());
            ObjectNode asked = (ObjectNode) review.path("request");
            ObjectNode response = answers.apply(asked);
            if (response.has("http")) {
                request.response().setStatusCode(response.path("http").intValue()).end("no");
                return;
            }
            if (!response.has("uid")) {
                response.set("uid", asked.path("uid"));
            }
            review.remove("request");
            review.set("response", response);
            request.response().putHeader("Content-Type", "application/json").end(review.toString());
        });
    }

    /** The reviews so far, oldest first. */
    public List<JsonNode> reviews() {
        return List.copyOf(reviews);
    }

    public String url(String path) {
        return "https://127.0.0.1:" + port + path;
    }

    int port() {
        return port;
    }

    /** The CA for clientConfig.caBundle. */
    public String caBundle() {
        return Base64.getEncoder().encodeToString(credentials.authority().certificatePem().getBytes(StandardCharsets.UTF_8));
    }

    public static ObjectNode allow() {
        return JsonMapper.shared().createObjectNode().put("allowed", true);
    }

    /** Allows and changes the object by a JSON Patch. */
    public static ObjectNode patch(String operations) {
        return allow().put("patchType", "JSONPatch").put("patch",
                Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8)));
    }

    public static ObjectNode deny(int code, String reason, String message) {
        ObjectNode response = JsonMapper.shared().createObjectNode().put("allowed", false);
        response.putObject("status").put("code", code).put("reason", reason).put("message", message);
        return response;
    }

    /** Lets the port refuse connections. */
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Override
    public void close() {
        stop();
    }
}

package dev.pillion.bench;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;

import dev.pillion.api.Json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * What the server costs without Pillion: the same TLS and HTTP, the whole body is received, and the answer admits the review under its own
 * uid. Of the body it reads no more than up to the uid, which stands near the start.
 */
final class EchoVerticle extends VerticleBase {
    private static final byte[] START = "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":{\"uid\":\""
            .getBytes(StandardCharsets.UTF_8);
    private static final byte[] END = "\",\"allowed\":true}}".getBytes(StandardCharsets.UTF_8);

    private final HttpServerOptions options;
    private @Nullable HttpServer server;

    EchoVerticle(HttpServerOptions options) {
        this.options = options;
    }

    @Override
    public Future<?> start() {
        HttpServer created = vertx.createHttpServer(options).requestHandler(request -> {
            Buffer body = Buffer.buffer();
            request.handler(body::appendBuffer);
            request.endHandler(_ -> request.response().putHeader("content-type", "application/json")
                    .end(Buffer.buffer(START).appendString(uid(body.getBytes())).appendBytes(END)));
        });
        server = created;
        return created.listen();
    }

    /** The first string called uid: that of the request, which comes before the object. */
    private static String uid(byte[] review) {
        try (JsonParser parser = Json.MAPPER.createParser(review)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "uid".equals(parser.currentName())) {
                    return parser.getString();
                }
            }
        }
        throw new IllegalArgumentException("no uid in the review");
    }

    @Override
    public Future<?> stop() {
        return server == null ? Future.succeededFuture() : server.close();
    }
}

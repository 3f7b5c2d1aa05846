package dev.pillion.bench;

import org.jspecify.annotations.Nullable;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;

/** What the server costs without Pillion: the same TLS and HTTP, the body is read, nothing is looked at, one fixed answer. */
final class EchoVerticle extends VerticleBase {
    private static final Buffer ANSWER = Buffer
            .buffer("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":{\"uid\":\"\",\"allowed\":true}}");

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
            request.endHandler(_ -> request.response().putHeader("content-type", "application/json").end(ANSWER.copy()));
        });
        server = created;
        return created.listen();
    }

    @Override
    public Future<?> stop() {
        return server == null ? Future.succeededFuture() : server.close();
    }
}

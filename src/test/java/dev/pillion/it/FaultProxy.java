package dev.pillion.it;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;

/**
 * Stands between a client and any API server and answers some requests itself, in the words of a server in trouble. Plain HTTP towards the
 * client, HTTPS towards the server.
 */
public final class FaultProxy implements AutoCloseable {
    public enum Kind {
        READ, WATCH, WRITE
    }

    /** What becomes of a request. */
    public enum Fault {
        NONE,
        /** 429 with Retry-After, as priority and fairness answers. */
        TOO_MANY,
        /** 500. */
        INTERNAL,
        /** 503. */
        UNAVAILABLE,
        /** The server carries it out, and the client is told 503. */
        DONE_BUT_UNAVAILABLE,
        /** The connection is closed instead of an answer. */
        CUT,
        /** 200, and one ERROR event with code 410: of watches only. */
        EXPIRED
    }

    /** Chooses by the kind of request, and how many of its kind came before. */
    public interface Plan {
        Fault of(Kind kind, int before);
    }

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(1));
    private final HttpClient client = vertx.createHttpClient(new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false),
            new PoolOptions().setHttp1MaxSize(200));
    private final Map<Kind, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final Map<Fault, AtomicInteger> made = new ConcurrentHashMap<>();
    private final URI server;
    private final int port;
    private volatile Plan plan = (_, _) -> Fault.NONE;

    /** @param server address of an API server that speaks HTTPS */
    public FaultProxy(URI server) {
        this.server = server;
        this.port = await(vertx.createHttpServer().requestHandler(this::accept).listen(0, "127.0.0.1").map(HttpServer::actualPort));
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public void plan(Plan wanted) {
        plan = wanted;
    }

    /** How many requests got this fault. */
    public int made(Fault fault) {
        return made.computeIfAbsent(fault, _ -> new AtomicInteger()).get();
    }

    private void accept(HttpServerRequest request) {
        Kind kind = !request.method().equals(HttpMethod.GET)
                ? Kind.WRITE
                : String.valueOf(request.query()).contains("watch=true") ? Kind.WATCH : Kind.READ;
        Fault fault = plan.of(kind, seen.computeIfAbsent(kind, _ -> new AtomicInteger()).getAndIncrement());
        made.computeIfAbsent(fault, _ -> new AtomicInteger()).incrementAndGet();
        request.body().onSuccess(body -> answer(request, body, fault));
    }

    private void answer(HttpServerRequest request, Buffer body, Fault fault) {
        switch (fault) {
            case NONE -> forward(request, body).onSuccess(answer -> pass(answer, request)).onFailure(_ -> request.connection().close());
            case TOO_MANY -> {
                request.response().putHeader("Retry-After", "1");
                refuse(request, 429, "TooManyRequests", "too many requests, please try again later");
            }
            case INTERNAL -> refuse(request, 500, "InternalError", "etcdserver: leader changed");
            case UNAVAILABLE -> refuse(request, 503, "ServiceUnavailable", "apiserver is shutting down");
            case DONE_BUT_UNAVAILABLE -> forward(request, body).compose(HttpClientResponse::body)
                    .onComplete(_ -> refuse(request, 503, "ServiceUnavailable", "apiserver is shutting down"));
            case CUT -> request.connection().close();
            case EXPIRED -> request.response().putHeader("Content-Type", "application/json").end("{\"type\":\"ERROR\",\"object\":"
                    + status(410, "Expired", "too old resource version: 1 (2)") + "}\n");
        }
    }

    private static void refuse(HttpServerRequest request, int code, String reason, String message) {
        request.response().setStatusCode(code).putHeader("Content-Type", "application/json").end(status(code, reason, message));
    }

    private static String status(int code, String reason, String message) {
        return """
                {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s","reason":"%s","code":%d}""".formatted(
                message, reason, code);
    }

    private Future<HttpClientResponse> forward(HttpServerRequest request, Buffer body) {
        RequestOptions options = new RequestOptions().setMethod(request.method()).setHost(server.getHost()).setPort(server.getPort())
                .setURI(request.uri());
        return client.request(options).compose(out -> {
            request.headers().forEach((name, value) -> {
                if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("connection")) {
                    out.putHeader(name, value);
                }
            });
            request.connection().closeHandler(_ -> abandon(out));
            return out.send(body);
        });
    }

    private static void abandon(HttpClientRequest out) {
        out.reset();
    }

    /** Piece by piece, since watches never end. */
    private static void pass(HttpClientResponse answer, HttpServerRequest request) {
        request.response().setStatusCode(answer.statusCode());
        answer.headers().forEach((name, value) -> {
            if (!name.equalsIgnoreCase("transfer-encoding") && !name.equalsIgnoreCase("connection")) {
                request.response().headers().add(name, value);
            }
        });
        request.response().setChunked(!answer.headers().contains("content-length"));
        answer.pipeTo(request.response()).onFailure(_ -> request.connection().close());
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the proxy does not start or stop", e);
        }
    }
}

package dev.pillion.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;

import tools.jackson.databind.JsonNode;

/**
 * One request and its answer, used on a virtual thread: writing blocks until the bytes have left, which is the back-pressure of lists and watches.
 */
final class Exchange {
    private final HttpServerRequest request;
    private final byte[] body;
    private final Parameters parameters;
    private final Caller caller;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AtomicBoolean gone = new AtomicBoolean();
    private @Nullable ServerWebSocket socket;

    Exchange(HttpServerRequest request, byte[] body) {
        this.request = request;
        this.body = body;
        this.parameters = Parameters.parse(request.query() == null ? "" : request.query());
        String authorization = header("Authorization");
        String user = authorization.startsWith("Bearer ") ? authorization.substring("Bearer ".length()) : "system:anonymous";
        this.caller = new Caller(user, List.of(user.equals("system:anonymous") ? "system:unauthenticated" : "system:authenticated"),
                header("User-Agent"), request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress());
    }

    HttpMethod method() {
        return request.method();
    }

    String path() {
        String path = request.path();
        return path == null ? "" : path;
    }

    String uri() {
        return request.uri();
    }

    byte[] body() {
        return body;
    }

    Parameters parameters() {
        return parameters;
    }

    Caller caller() {
        return caller;
    }

    /** "" when absent. */
    String header(String name) {
        String value = request.getHeader(name);
        return value == null ? "" : value;
    }

    /** The media type of the body without its parameters. */
    String contentType() {
        String type = header("Content-Type");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip();
    }

    void warn(String text) {
        if (!warnings.contains(text)) {
            warnings.add(text);
        }
    }

    void send(int code, JsonNode answer) throws InterruptedException {
        long pause = Trees.number(answer.at("/details/retryAfterSeconds"), 0);
        if (code >= 400 && pause > 0) {
            request.response().putHeader("Retry-After", Long.toString(pause));
        }
        send(code, "application/json", Trees.bytes(answer));
    }

    void send(int code, String type, byte[] bytes) throws InterruptedException {
        HttpServerResponse response = head(code, type);
        await(response.end(Buffer.buffer(bytes)));
    }

    /** Begins a chunked answer, or takes up a WebSocket when the client asks for one. */
    void begin(String type) throws InterruptedException {
        if (isUpgrade(request)) {
            socket = await(request.toWebSocket());
            return;
        }
        HttpServerResponse response = head(200, type);
        response.setChunked(true);
        await(response.writeHead());
    }

    /** Calls back once when the client goes away. */
    void onGone(Runnable callback) {
        Runnable once = () -> {
            if (gone.compareAndSet(false, true)) {
                callback.run();
            }
        };
        ServerWebSocket web = socket;
        if (web != null) {
            web.closeHandler(_ -> once.run());
            web.exceptionHandler(_ -> once.run());
        } else {
            request.response().closeHandler(_ -> once.run());
            request.response().exceptionHandler(_ -> once.run());
        }
    }

    boolean isGone() {
        return gone.get() || (socket == null ? request.response().closed() : socket.isClosed());
    }

    /** @param bytes of a watch: whole lines, each of which is one message of a WebSocket */
    void write(byte[] bytes) throws InterruptedException {
        ServerWebSocket web = socket;
        if (web == null) {
            await(request.response().write(Buffer.buffer(bytes)));
            return;
        }
        for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
            await(web.writeTextMessage(line));
        }
    }

    void end() throws InterruptedException {
        ServerWebSocket web = socket;
        await(web == null ? request.response().end() : web.close());
    }

    static boolean isUpgrade(HttpServerRequest request) {
        String upgrade = request.getHeader("Upgrade");
        return upgrade != null && upgrade.equalsIgnoreCase("websocket");
    }

    /** Ends an answer that went wrong after it began: the client sees a broken connection, not a short list. */
    void breakOff() {
        ServerWebSocket web = socket;
        if (web == null) {
            request.response().reset();
        } else {
            web.close();
        }
    }

    boolean hasBegun() {
        return socket != null || request.response().headWritten();
    }

    private HttpServerResponse head(int code, String type) {
        HttpServerResponse response = request.response().setStatusCode(code).putHeader("Content-Type", type)
                .putHeader("Cache-Control", "no-cache, private");
        for (String warning : warnings) {
            response.headers().add("Warning", "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + "\"");
        }
        return response;
    }

    private static <T> T await(Future<T> future) throws InterruptedException {
        try {
            return future.toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException _) {
            throw new InterruptedException("the client is gone");
        }
    }
}

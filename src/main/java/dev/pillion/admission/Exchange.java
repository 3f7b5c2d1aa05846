package dev.pillion.admission;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

import dev.pillion.match.SetIndex;
import dev.pillion.metrics.WebhookMeters;

/**
 * One request from its head to the answer, on one event loop (settings.md 2): overload, body limit and deadline. Answers at most once and
 * gives back what it took of the gate exactly once, also when the client goes away.
 */
final class Exchange {
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

    private static final int REQUEST_TIMEOUT = 408;
    static final int TOO_LARGE = 413;
    private static final int OVERLOAD = 503;
    /** nginx' code for a client that went away; only in metrics. */
    private static final int CLIENT_GONE = 499;

    private final HttpServerRequest request;
    private final String path;
    private final Webhooks webhooks;
    private final Supplier<Optional<SetIndex>> index;
    private final Gate.Visit visit;
    private final WebhookMeters.Request meter;
    private final int bodyLimit;
    private final Deadlines deadlines;
    private final Executor loop;
    private byte[] body = {};
    private int length;
    private Runnable cancelTimer = () -> {
    };
    private boolean received;
    private boolean over;

    /**
     * Everything an exchange shares with the others of its verticle.
     *
     * @param bodyLimit in bytes
     * @param deadlines by which an answer must be sent
     * @param loop runs tasks on the event loop, from whatever thread
     */
    record Shared(Webhooks webhooks, Supplier<Optional<SetIndex>> index, Gate gate, WebhookMeters meters, int bodyLimit,
            Deadlines deadlines, Executor loop) {
    }

    Exchange(HttpServerRequest request, String path, Shared shared) {
        this.request = request;
        this.path = path;
        this.webhooks = shared.webhooks();
        this.index = shared.index();
        this.visit = shared.gate().visit();
        this.meter = shared.meters().start(path);
        this.bodyLimit = shared.bodyLimit();
        this.deadlines = shared.deadlines();
        this.loop = shared.loop();
    }

    /** @param declaredLength of the body, at most the limit; 0 when it is not declared */
    void begin(long declaredLength) {
        if (!visit.hasRoom(declaredLength)) {
            fail(OVERLOAD);
            return;
        }
        cancelTimer = deadlines.set(this::deadline);
        body = new byte[(int) declaredLength];
        request.handler(this::data);
        request.endHandler(_ -> judge());
        request.exceptionHandler(_ -> gone());
        request.response().closeHandler(_ -> gone());
        request.response().exceptionHandler(_ -> gone());
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
    }

    private void data(Buffer chunk) {
        if (over) {
            // The rest of a body that was refused.
            return;
        }
        int longer = length + chunk.length();
        if (longer > bodyLimit) {
            failEarly(TOO_LARGE);
        } else if (!visit.hasRoom(longer)) {
            failEarly(OVERLOAD);
        } else {
            if (longer > body.length) {
                body = Arrays.copyOf(body, Math.max(longer, 2 * body.length));
            }
            chunk.getBytes(body, length);
            length = longer;
        }
    }

    private void judge() {
        received = true;
        if (over) {
            cancelTimer.run();
        } else if (!visit.enter()) {
            fail(OVERLOAD);
        } else {
            CompletableFuture<Reply> reply = webhooks.answer(path, text(), index.get()).toCompletableFuture();
            if (reply.isDone()) {
                // The common case, without another turn of the loop: a burst would take all places while its answers wait for their turn.
                send(reply.join());
            } else {
                CompletionStage<Void> _ = reply.thenAccept(r -> loop.execute(() -> send(r)));
            }
        }
    }

    private byte[] text() {
        return length == body.length ? body : Arrays.copyOf(body, length);
    }

    private void deadline() {
        if (received) {
            send(webhooks.late(path, text()));
        } else {
            fail(REQUEST_TIMEOUT);
            hangUp();
        }
    }

    private void send(Reply reply) {
        if (end(reply.code())) {
            request.response().putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(Buffer.buffer(reply.body()));
        }
    }

    /** Answers before the body has come. What follows of it is dropped, so that the client reads the answer, but not for ever. */
    private void failEarly(int status) {
        fail(status);
        cancelTimer = deadlines.set(this::hangUp);
    }

    private void fail(int status) {
        if (end(status)) {
            if (status == OVERLOAD) {
                request.response().putHeader(RETRY_AFTER, "1");
            }
            request.response().setStatusCode(status).end();
        }
    }

    /** Of HTTP/2 only this stream, which has nothing to do with the connection's others. */
    private void hangUp() {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            request.connection().close();
        }
    }

    private void gone() {
        end(CLIENT_GONE);
    }

    /** Ends the exchange; false when it is over already. */
    private boolean end(int code) {
        if (over) {
            return false;
        }
        over = true;
        body = new byte[0];
        cancelTimer.run();
        visit.end();
        meter.answered(code);
        return code != CLIENT_GONE && !request.response().closed();
    }
}

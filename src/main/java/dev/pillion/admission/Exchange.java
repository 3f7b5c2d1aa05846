package dev.pillion.admission;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

import dev.pillion.match.SetIndex;
import dev.pillion.metrics.WebhookMeters;

/**
 * One admitted request from its head to the answer, on one event loop (settings.md 2): body limit and deadline. Answers at most once
 * and leaves the gate exactly once, also when the client goes away.
 */
final class Exchange {
    /** Limits of one exchange. */
    record Limits(int bodyBytes, Duration deadline) {
    }

    /** The event loop this exchange lives on. */
    interface Loop {
        /** Runs the task on the loop, from whatever thread. */
        void run(Runnable task);

        /** Runs the task on the loop after a time; the result cancels it. */
        Runnable after(Duration time, Runnable task);
    }

    private static final int REQUEST_TIMEOUT = 408;
    static final int TOO_LARGE = 413;
    /** nginx' code for a client that went away; only in metrics. */
    private static final int CLIENT_GONE = 499;

    private final HttpServerRequest request;
    private final String path;
    private final Webhooks webhooks;
    private final Supplier<Optional<SetIndex>> index;
    private final Gate gate;
    private final WebhookMeters.Request meter;
    private final Limits limits;
    private final Loop loop;
    private Buffer body = Buffer.buffer();
    private Runnable cancelDeadline = () -> {
    };
    private boolean received;
    private boolean over;

    /** Everything an exchange shares with the others of its verticle. */
    record Shared(Webhooks webhooks, Supplier<Optional<SetIndex>> index, Gate gate, WebhookMeters meters, Limits limits, Loop loop) {
    }

    /** For a request that has just entered the gate. */
    Exchange(HttpServerRequest request, String path, Shared shared) {
        this.request = request;
        this.path = path;
        this.webhooks = shared.webhooks();
        this.index = shared.index();
        this.gate = shared.gate();
        this.meter = shared.meters().start(path);
        this.limits = shared.limits();
        this.loop = shared.loop();
    }

    void begin() {
        cancelDeadline = loop.after(limits.deadline(), this::deadline);
        request.handler(this::data);
        request.endHandler(_ -> judge());
        request.exceptionHandler(_ -> gone());
        request.response().closeHandler(_ -> gone());
        request.response().exceptionHandler(_ -> gone());
        if ("100-continue".equalsIgnoreCase(request.getHeader("expect"))) {
            request.response().writeContinue();
        }
    }

    private void data(Buffer chunk) {
        if (over) {
            // The rest of a body that was refused.
            return;
        }
        if (body.length() + chunk.length() > limits.bodyBytes()) {
            body = Buffer.buffer();
            fail(TOO_LARGE);
        } else {
            body.appendBuffer(chunk);
        }
    }

    private void judge() {
        received = true;
        if (!over) {
            byte[] bytes = body.getBytes();
            webhooks.answer(path, bytes, index.get()).thenAccept(reply -> loop.run(() -> send(reply)));
        }
    }

    private void deadline() {
        if (received) {
            send(webhooks.late(path, body.getBytes()));
        } else {
            fail(REQUEST_TIMEOUT);
            request.connection().close();
        }
    }

    private void send(Reply reply) {
        if (end(reply.code())) {
            request.response().putHeader("content-type", "application/json").end(Buffer.buffer(reply.body()));
        }
    }

    private void fail(int status) {
        if (end(status)) {
            request.response().setStatusCode(status).end();
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
        cancelDeadline.run();
        gate.leave();
        meter.answered(code);
        return code != CLIENT_GONE && !request.response().closed();
    }
}

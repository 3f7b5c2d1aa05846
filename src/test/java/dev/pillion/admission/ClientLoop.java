package dev.pillion.admission;

import java.util.function.Supplier;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Lets a Vert.x client work on an event loop: asked from a test's thread, a response may come before anybody waits for its body. */
final class ClientLoop {
    private ClientLoop() {
    }

    static <T> Future<T> run(Vertx vertx, Supplier<Future<T>> step) {
        Promise<T> promise = Promise.promise();
        vertx.getOrCreateContext().runOnContext(_ -> step.get().onComplete(promise));
        return promise.future();
    }
}

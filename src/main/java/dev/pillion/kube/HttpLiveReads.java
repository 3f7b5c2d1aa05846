package dev.pillion.kube;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import tools.jackson.databind.node.ObjectNode;

import dev.pillion.api.Revision;
import dev.pillion.match.NamespaceView;

/** Live reads on virtual threads; never an event loop waits (stack.md, Deadlock). */
final class HttpLiveReads implements LiveReads {
    private final RawApi api;
    private final String namespace;
    private final Duration deadline;

    HttpLiveReads(RawApi api, String namespace, Duration deadline) {
        this.api = api;
        this.namespace = namespace;
        this.deadline = deadline;
    }

    @Override
    public CompletionStage<Optional<NamespaceView>> namespace(String name) {
        return read("/api/v1/namespaces/" + RawApi.encode(name), KubeObjects::namespace);
    }

    @Override
    public CompletionStage<Optional<Revision>> revision(String name) {
        return read(KubeObjects.revisions(namespace) + "/" + RawApi.encode(name), KubeObjects::revision);
    }

    private <T> CompletionStage<Optional<T>> read(String path, Function<ObjectNode, T> decode) {
        CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("live-read").start(() -> {
            try {
                answer.complete(Optional.of(decode.apply(api.getTree(path))));
            } catch (KubeException e) {
                if (e.code() == 404) {
                    answer.complete(Optional.empty());
                } else {
                    answer.completeExceptionally(e);
                }
            } catch (RuntimeException e) {
                answer.completeExceptionally(new KubeException(0, "BadAnswer", false, "the answer cannot be understood: " + e));
            }
        });
        CompletableFuture<Optional<T>> inTime = new CompletableFuture<>();
        answer.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS).whenComplete((value, failure) -> {
            if (failure == null) {
                inTime.complete(value);
            } else {
                inTime.completeExceptionally(failure instanceof KubeException known ? known
                        : new KubeException(0, "Timeout", false, "no answer from the API server within " + deadline));
            }
        });
        return inTime;
    }
}

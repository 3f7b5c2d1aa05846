package dev.pillion.kube;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.NamespaceView;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
        return inTime(() -> read("/api/v1/namespaces/" + RawApi.encode(name), KubeObjects::namespace));
    }

    @Override
    public CompletionStage<Optional<SidecarSet>> sidecarSet(String name) {
        return inTime(() -> read(KubeObjects.SETS + "/" + RawApi.encode(name), SidecarSet::of));
    }

    @Override
    public CompletionStage<Optional<Revision>> revision(String name) {
        return inTime(() -> read(KubeObjects.revisions(namespace) + "/" + RawApi.encode(name), KubeObjects::revision));
    }

    @Override
    public CompletionStage<List<Revision>> revisions(String setName, String customVersion) {
        String selector = Wire.SET_NAME_LABEL + "=" + setName + "," + Wire.CUSTOM_VERSION_LABEL + "=" + customVersion;
        return inTime(() -> {
            List<Revision> found = new ArrayList<>();
            for (JsonNode item : api.getTree(KubeObjects.revisions(namespace) + "?labelSelector=" + RawApi.encode(selector))
                    .path("items")) {
                if (item instanceof ObjectNode object) {
                    found.add(KubeObjects.revision(object));
                }
            }
            return List.copyOf(found);
        });
    }

    private <T> Optional<T> read(String path, Function<ObjectNode, T> decode) {
        try {
            return Optional.of(decode.apply(api.getTree(path)));
        } catch (KubeException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> CompletionStage<T> inTime(Supplier<T> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("live-read").start(() -> {
            try {
                answer.complete(read.get());
            } catch (KubeException e) {
                answer.completeExceptionally(e);
            } catch (RuntimeException e) {
                answer.completeExceptionally(new KubeException(0, "BadAnswer", false, "the answer cannot be understood: " + e));
            }
        });
        CompletableFuture<T> inTime = new CompletableFuture<>();
        CompletableFuture<T> _ = answer.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS).whenComplete((value, failure) -> {
            if (failure == null) {
                inTime.complete(value);
            } else {
                inTime.completeExceptionally(failure instanceof KubeException known
                        ? known
                        : new KubeException(0, "Timeout", false, "no answer from the API server within " + deadline));
            }
        });
        return inTime;
    }
}

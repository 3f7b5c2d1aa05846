package dev.pillion.admission;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Revision;
import dev.pillion.inject.LiveAnswers;
import dev.pillion.inject.LiveAnswers.CustomVersion;
import dev.pillion.inject.Needs;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.NamespaceView;

/** Reads all that one request needs, side by side. What cannot be read is left out of the answers, and the injector refuses for the moment. */
final class LiveReading {
    private static final Logger LOG = LoggerFactory.getLogger(LiveReading.class);

    private final LiveReads reads;

    LiveReading(LiveReads reads) {
        this.reads = reads;
    }

    CompletionStage<LiveAnswers> read(Needs needs) {
        Map<String, CompletableFuture<Optional<NamespaceView>>> namespaces = new HashMap<>();
        needs.namespaces().forEach(n -> namespaces.put(n, logged("namespace", n, reads.namespace(n))));
        Map<String, CompletableFuture<Optional<Revision>>> revisions = new HashMap<>();
        needs.revisions().forEach(r -> revisions.put(r, logged("revision", r, reads.revision(r))));
        Map<CustomVersion, CompletableFuture<List<Revision>>> versions = new HashMap<>();
        needs.customVersions()
                .forEach(v -> versions.put(v, logged("customVersion", v.customVersion(), reads.revisions(v.setName(), v.customVersion()))));
        CompletableFuture<?>[] all = List.of(namespaces, revisions, versions).stream().flatMap(m -> m.values().stream())
                .map(f -> f.exceptionally(_ -> null)).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(all).thenApply(_ -> new LiveAnswers(read(namespaces), read(revisions), read(versions)));
    }

    private static <T> CompletableFuture<T> logged(String key, String value, CompletionStage<T> read) {
        return read.whenComplete((_, failure) -> {
            if (failure != null) {
                LOG.atWarn().addKeyValue(key, value).addKeyValue("reason", String.valueOf(failure.getMessage()))
                        .log("Live read for a Pod failed");
            }
        }).toCompletableFuture();
    }

    private static <K, T> Map<K, T> read(Map<K, CompletableFuture<T>> reads) {
        Map<K, T> done = new HashMap<>();
        reads.forEach((key, read) -> {
            if (!read.isCompletedExceptionally()) {
                done.put(key, read.join());
            }
        });
        return done;
    }
}

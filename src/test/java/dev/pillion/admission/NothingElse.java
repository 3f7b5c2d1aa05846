package dev.pillion.admission;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.NamespaceView;

/** The cluster holds what the case lists; of other Namespaces the command assumes the name's label, so they exist here with it. */
final class NothingElse implements LiveReads {
    @Override
    public CompletionStage<Optional<NamespaceView>> namespace(String name) {
        return CompletableFuture.completedStage(Optional.of(new NamespaceView(name, Map.of(Wire.NAMESPACE_NAME_LABEL, name))));
    }

    @Override
    public CompletionStage<Optional<SidecarSet>> sidecarSet(String name) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<Optional<Revision>> revision(String name) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<List<Revision>> revisions(String setName, String customVersion) {
        return CompletableFuture.completedStage(List.of());
    }
}

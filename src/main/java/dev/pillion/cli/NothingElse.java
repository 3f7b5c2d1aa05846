package dev.pillion.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.pillion.api.Revision;
import dev.pillion.inject.LiveAnswers;
import dev.pillion.inject.Needs;
import dev.pillion.match.NamespaceView;

/** Answers in place of live reads, for who has read everything there is already. */
final class NothingElse {
    private NothingElse() {
    }

    /** No further revision exists; of namespaces the caller says. */
    static LiveAnswers answers(Needs needs, Function<String, Optional<NamespaceView>> namespace) {
        Map<String, Optional<NamespaceView>> namespaces = new HashMap<>();
        needs.namespaces().forEach(n -> namespaces.put(n, namespace.apply(n)));
        Map<String, Optional<Revision>> revisions = new HashMap<>();
        needs.revisions().forEach(n -> revisions.put(n, Optional.empty()));
        Map<LiveAnswers.CustomVersion, List<Revision>> versions = new HashMap<>();
        needs.customVersions().forEach(v -> versions.put(v, List.of()));
        return new LiveAnswers(namespaces, revisions, versions);
    }
}

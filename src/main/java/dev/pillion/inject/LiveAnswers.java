package dev.pillion.inject;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Revision;
import dev.pillion.match.NamespaceView;

/**
 * What was read live because the index lacked it. An entry with nothing in it says "does not exist"; a missing entry says "not read",
 * and a request that needs it is refused for the moment (injection.md trap 3).
 */
public record LiveAnswers(Map<String, Optional<NamespaceView>> namespaces, Map<String, Optional<Revision>> revisions,
        Map<CustomVersion, List<Revision>> customVersions) {
    public static final LiveAnswers NONE = new LiveAnswers(Map.of(), Map.of(), Map.of());

    /** Revisions of a set by custom version, any number of them. */
    public record CustomVersion(String setName, String customVersion) {
    }

    public LiveAnswers {
        namespaces = Map.copyOf(namespaces);
        revisions = Map.copyOf(revisions);
        customVersions = Map.copyOf(customVersions);
    }
}

package dev.pillion.api;

import java.util.Map;
import java.util.Optional;

/**
 * A ControllerRevision of a set (api.md 4.3). data is the exact JSON text.
 *
 * @param ownerUid uid of the controller owner, if it has one
 */
public record Revision(String name, String uid, String resourceVersion, long number, String created, Map<String, String> labels,
        Map<String, String> annotations, String data, Optional<String> ownerUid) {
    public Revision {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }
}

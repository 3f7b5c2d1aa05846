package dev.pillion.revision;

import java.util.Optional;
import java.util.function.Supplier;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A set as one of its revisions recorded it, for injection of an older state (api.md 4.3). */
public final class RestoredSet {
    private RestoredSet() {
    }

    /**
     * 1. The spec holds the five recorded members and nothing else: no selector, no strategies. 2. Metadata and status are the current
     * set's. 3. Both hashes are the revision's, or computed when it has none. 4. status.latestRevision is the revision's name. Empty when
     * the revision's data is no set. Compatible: api.md trap 17, so never evaluate the selectors of the result.
     */
    public static Optional<SidecarSet> of(SidecarSet current, Revision revision) {
        return RevisionData.spec(revision.data()).map(spec -> restore(current, revision, spec));
    }

    /**
     * The object a user would apply to go back to a revision: the current set with the five recorded members put back and everything else
     * as it is now. The custom version goes back too, since the label of the revision follows it (rollout.md 3.3): left alone, the older
     * revision would take over the newer one's name. Empty when the revision's data is no set.
     */
    public static Optional<ObjectNode> goBack(SidecarSet current, Revision revision) {
        return RevisionData.spec(revision.data()).map(recorded -> {
            ObjectNode object = current.raw().deepCopy();
            ObjectNode spec = child(object, "spec");
            RevisionData.members().forEach(member -> {
                JsonNode value = recorded.path(member);
                if (value.isMissingNode()) {
                    spec.remove(member);
                } else {
                    spec.set(member, value);
                }
            });
            String version = revision.labels().getOrDefault(Wire.CUSTOM_VERSION_LABEL, "");
            if (version.isEmpty()) {
                spec.remove("customVersion");
            } else {
                spec.put("customVersion", version);
            }
            return object;
        });
    }

    private static SidecarSet restore(SidecarSet current, Revision revision, ObjectNode spec) {
        ObjectNode object = current.raw().deepCopy();
        object.set("spec", spec);
        ObjectNode metadata = child(object, "metadata");
        ObjectNode annotations = child(metadata, "annotations");
        annotations.put(Wire.HASH, orComputed(revision, Wire.HASH, () -> SetHash.hash(object)));
        annotations.put(Wire.HASH_WITHOUT_IMAGE, orComputed(revision, Wire.HASH_WITHOUT_IMAGE, () -> SetHash.hashWithoutImage(object)));
        child(object, "status").put("latestRevision", revision.name());
        return SidecarSet.of(object);
    }

    private static String orComputed(Revision revision, String key, Supplier<String> computed) {
        String recorded = revision.annotations().getOrDefault(key, "");
        return recorded.isEmpty() ? computed.get() : recorded;
    }

    private static ObjectNode child(ObjectNode object, String member) {
        JsonNode value = object.path(member);
        return value instanceof ObjectNode o ? o : object.putObject(member);
    }

    /** Whether a revision's data can be restored at all; for validation of a pinned revision. */
    public static boolean isRestorable(Revision revision) {
        return Json.tryRead(revision.data()).filter(d -> d.path("spec").isObject()).isPresent();
    }
}

package dev.pillion.rollout;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;

/** Bodies of the writes of rollout.md 8-10: strategic merge patches with uid and resourceVersion that name only what changes (trap U). */
public final class PodPatch {
    private PodPatch() {
    }

    /**
     * Section 9: new images in the pod's own container order, and annotations.
     *
     * @param metadataAnnotations all annotations of the pod, read live, when the set has patchPodMetadata; otherwise empty and not looked at
     * @throws IllegalStateException when a metadata patch meets text that is no JSON (9.7); the pod must then not be written
     */
    public static String upgrade(SidecarSet set, PodView pod, Map<String, String> metadataAnnotations, String latestRevision,
            RolloutOptions options,
            Instant now) {
        throw new UnsupportedOperationException(set.name() + pod + metadataAnnotations + latestRevision + options + now);
    }

    /** Section 10.4. */
    public static String flip(SidecarSet set, PodView pod, RolloutOptions options, Instant now) {
        throw new UnsupportedOperationException(set.name() + pod + options + now);
    }

    /** Section 8: the status patch, or empty when the condition would not change. */
    public static Optional<String> condition(String setName, PodView pod, boolean upgradable, RolloutOptions options, Instant now) {
        throw new UnsupportedOperationException(setName + pod + upgradable + options + now);
    }
}

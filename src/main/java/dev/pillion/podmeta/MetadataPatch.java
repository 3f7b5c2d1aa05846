package dev.pillion.podmeta;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet.PatchPodMetadata;

/** Applies spec.patchPodMetadata to the annotations of a Pod (injection.md 8). */
public final class MetadataPatch {

    /** What to do with a MergePatchJson whose result says the same as what is there. */
    public enum SameValue {
        /** Writes the merged text, as the reference does. */
        REWRITE,
        /** Leaves the text alone: a set without containers has no mark on the pod that it was here before (trap 33). */
        KEEP
    }

    /** What comes out. */
    public sealed interface Outcome {
        /** All annotations afterwards; equal to those before when nothing changed. */
        record Applied(Map<String, String> annotations) implements Outcome {
        }

        /** The value of this annotation cannot be merged. */
        record Refused(String key, String text) implements Outcome {
        }
    }

    private MetadataPatch() {
    }

    public static Outcome apply(Map<String, String> annotations, List<PatchPodMetadata> patches) {
        return apply(annotations, patches, SameValue.REWRITE);
    }

    /** Entries in order; an unknown policy does nothing. The given map stays as it is. */
    public static Outcome apply(Map<String, String> annotations, List<PatchPodMetadata> patches, SameValue same) {
        Map<String, String> result = new LinkedHashMap<>(annotations);
        for (PatchPodMetadata patch : patches) {
            for (Map.Entry<String, String> entry : patch.annotations().entrySet()) {
                String key = entry.getKey();
                String value = entry.getValue();
                switch (patch.patchPolicy()) {
                    case "", "Retain" -> result.putIfAbsent(key, value);
                    case "Overwrite" -> result.put(key, value);
                    case "MergePatchJson" -> {
                        Optional<String> merged = merge(result.getOrDefault(key, ""), value, same);
                        if (merged.isEmpty()) {
                            return new Outcome.Refused(key,
                                    "the value on the pod and the patch must be JSON, the patch an object or a list");
                        }
                        result.put(key, merged.get());
                    }
                    default -> {
                        // Compatible: nothing.
                    }
                }
            }
        }
        return new Outcome.Applied(result);
    }

    private static Optional<String> merge(String existing, String patch, SameValue same) {
        if (existing.isEmpty() || (same == SameValue.KEEP && existing.equals(patch))) {
            return Optional.of(patch);
        }
        Optional<String> merged = MergePatch.merge(existing, patch);
        return same == SameValue.KEEP && merged.isPresent() && Json.tryRead(existing).equals(Json.tryRead(merged.get()))
                ? Optional.of(existing)
                : merged;
    }
}

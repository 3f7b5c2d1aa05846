package dev.pillion.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The injection annotations of one Pod (api.md 4.2), decoded once by podmeta.MarksCodec. Damaged texts are values here, not errors.
 *
 * @param injectedList parts of the injected list, split at ',', nothing trimmed
 * @param hashes entries of the hash annotation by set name, read in present, old or mixed form
 * @param withoutImage entries of the hash-without-image annotation
 * @param working hot container name -> working twin; unreadable: empty
 * @param inPlace what the in-place annotation holds
 * @param raw the annotation texts themselves, by key, needed to write other sets' entries back unchanged
 */
public record PodMarks(List<String> injectedList, Map<String, HashEntry> hashes, Map<String, HashEntry> withoutImage,
        Map<String, String> working,
        InPlace inPlace, MarkTexts raw) {

    public static final PodMarks NONE = new PodMarks(List.of(), Map.of(), Map.of(), Map.of(), new InPlace.Absent(), MarkTexts.NONE);

    /** Hash and revision recorded for one set; texts are "" when absent. */
    public record HashEntry(String hash, String controllerRevision) {
    }

    /** The in-place annotation: absent, not readable as JSON (then never consistent, rollout.md 4.3), or by set name. */
    public sealed interface InPlace {
        record Absent() implements InPlace {
        }

        record Unreadable() implements InPlace {
        }

        /** Container name -> imageID recorded before the upgrade, by set name. */
        record States(Map<String, Map<String, String>> lastImageIds) implements InPlace {
            public States {
                lastImageIds = Map.copyOf(lastImageIds);
            }
        }
    }

    public PodMarks {
        injectedList = List.copyOf(injectedList);
        hashes = Map.copyOf(hashes);
        withoutImage = Map.copyOf(withoutImage);
        working = Map.copyOf(working);
    }

    /** The same marks, of other texts that mean the same. */
    public PodMarks withRaw(MarkTexts texts) {
        return new PodMarks(injectedList, hashes, withoutImage, working, inPlace, texts);
    }

    public Optional<HashEntry> hash(String setName) {
        return Optional.ofNullable(hashes.get(setName));
    }
}

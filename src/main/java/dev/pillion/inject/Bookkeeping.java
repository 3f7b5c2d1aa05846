package dev.pillion.inject;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.QuotedText;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.CompiledSet;
import dev.pillion.podmeta.HashAnnotation;
import dev.pillion.podmeta.HashAnnotation.Entry;
import dev.pillion.podmeta.HashAnnotation.Form;
import dev.pillion.podmeta.HashPieces;
import dev.pillion.podmeta.WorkingMap;

/** What the annotations of injection say on the submitted pod, and what they must say afterwards (injection.md 6, api.md 4.2). */
final class Bookkeeping {
    private final RawPod pod;
    private final HashAnnotation hashes;
    private final HashAnnotation withoutImage;

    private Bookkeeping(RawPod pod, HashAnnotation hashes, HashAnnotation withoutImage) {
        this.pod = pod;
        this.hashes = hashes;
        this.withoutImage = withoutImage;
    }

    /** Entries of the pod for deciding what is there already; damaged annotations have none. */
    static Bookkeeping of(RawPod pod, Map<String, String> annotations) {
        return new Bookkeeping(pod, read(annotations, Wire.HASH), read(annotations, Wire.HASH_WITHOUT_IMAGE));
    }

    private static HashAnnotation read(Map<String, String> annotations, String key) {
        HashAnnotation read = HashAnnotation.of(annotations.getOrDefault(key, ""));
        if (read.form() != Form.OLD) {
            return read;
        }
        // The old form is written back with each entry's own name.
        Map<String, Entry> named = new HashMap<>();
        read.entries().forEach((name, entry) -> named.put(name, entry.withName(name)));
        return new HashAnnotation(Form.OLD, new TreeMap<>(named), read.texts());
    }

    /**
     * Refuses texts that are neither shape (trap 24); null counts as no entries, where the reference crashes.
     *
     * @param annotations what was read here: the pod's, patched by the sets
     */
    Bookkeeping readable(Map<String, String> annotations) throws RefusedException {
        refuseDamaged(Wire.HASH, hashes, annotations);
        refuseDamaged(Wire.HASH_WITHOUT_IMAGE, withoutImage, annotations);
        return this;
    }

    private void refuseDamaged(String key, HashAnnotation annotation, Map<String, String> annotations) throws RefusedException {
        if (annotation.form() == Form.DAMAGED || annotation.form() == Form.MIXED) {
            boolean own = annotations.getOrDefault(key, "").equals(pod.annotations().get(key));
            throw RefusedException.of(Reason.ANNOTATION_UNREADABLE, "annotation " + key + " of Pod " + pod.describe() + " cannot be read; "
                    + (own
                            ? "remove it from the Pod or its template"
                            : "take it out of the spec.patchPodMetadata of the SidecarSet that sets it"));
        }
    }

    /** Whether the pod's entries of the set are those that would be written now, apart from the time. */
    boolean isCurrent(CompiledSet set) {
        Entry hash = hashes.readable().get(set.name());
        Entry without = withoutImage.readable().get(set.name());
        return hash != null && without != null && hash.equals(wanted(set, hash.updateTimestamp()))
                && without.equals(wantedWithoutImage(set, without.updateTimestamp()));
    }

    /** What the pod says about a set. */
    Optional<Entry> entry(String set) {
        return Optional.ofNullable(hashes.readable().get(set));
    }

    /**
     * Writes list, hash and working annotations.
     *
     * @param listed all chosen sets
     * @param written those that get a new entry; the others keep what they have
     * @param working hot container -> twin that works, of all sets that have containers
     * @return some of the texts written, by their annotation, in the form in which they go out
     */
    Map<String, QuotedText> write(Map<String, String> annotations, List<CompiledSet> listed, List<CompiledSet> written,
            Map<String, String> working,
            String now) {
        Map<String, QuotedText> ready = hashes.entries().isEmpty() && withoutImage.entries().isEmpty()
                ? allNew(annotations, written, now)
                : Map.of();
        if (ready.isEmpty()) {
            Map<String, Entry> hash = new HashMap<>(hashes.entries());
            Map<String, Entry> without = new HashMap<>(withoutImage.entries());
            for (CompiledSet set : written) {
                hash.put(set.name(), wanted(set, Optional.of(now)));
                without.put(set.name(), wantedWithoutImage(set, Optional.of(now)));
            }
            annotations.put(Wire.HASH, HashAnnotation.text(hash));
            annotations.put(Wire.HASH_WITHOUT_IMAGE, HashAnnotation.text(without));
        }
        Set<String> names = new TreeSet<>(ByteOrder.UTF8);
        String list = annotations.getOrDefault(Wire.INJECTED_LIST, "");
        if (!list.isEmpty()) {
            names.addAll(Arrays.asList(list.split(",", -1)));
        }
        listed.forEach(set -> names.add(set.name()));
        annotations.put(Wire.INJECTED_LIST, String.join(",", names));
        if (!working.isEmpty()) {
            WorkingMap map = WorkingMap.of(annotations.getOrDefault(Wire.WORKING_HOT_UPGRADE, ""));
            for (Map.Entry<String, String> twin : working.entrySet()) {
                map = map.with(twin.getKey(), twin.getValue());
            }
            annotations.put(Wire.WORKING_HOT_UPGRADE, map.write());
        }
        return ready;
    }

    /** The same texts of the same entries, for a Pod that has none: nearly all that are created. */
    private static Map<String, QuotedText> allNew(Map<String, String> annotations, List<CompiledSet> written, String now) {
        if (written.isEmpty()) {
            return Map.of();
        }
        Map<String, QuotedText> ready = Pieces.of(written.getFirst()).texts(written, now);
        ready.forEach((key, text) -> annotations.put(key, text.stringValue()));
        return ready;
    }

    /**
     * A set's two entries, and the annotations in which they were last written as the first of their sets: Pods that the same sets go into
     * in the same second have the same ones. Safe for all threads.
     */
    private static final class Pieces {
        private final HashPieces hash;
        private final HashPieces withoutImage;
        private volatile Texts last = new Texts(List.of(), "", Map.of());

        private Pieces(CompiledSet set) {
            hash = HashPieces.of(set.name(), wanted(set, Optional.empty()));
            withoutImage = HashPieces.of(set.name(), wantedWithoutImage(set, Optional.empty()));
        }

        static Pieces of(CompiledSet set) {
            return set.derived().get(Pieces.class, () -> new Pieces(set));
        }

        Map<String, QuotedText> texts(List<CompiledSet> sets, String now) {
            Texts known = last;
            if (!known.areOf(sets, now)) {
                known = new Texts(List.copyOf(sets), now, write(sets, now));
                last = known;
            }
            return known.ready;
        }

        private static Map<String, QuotedText> write(List<CompiledSet> sets, String now) {
            Map<String, Pieces> sorted = new TreeMap<>(ByteOrder.UTF8);
            sets.forEach(set -> sorted.put(set.name(), of(set)));
            // In the order in which they are to go out.
            Map<String, QuotedText> ready = new LinkedHashMap<>();
            ready.put(Wire.HASH, HashPieces.text(sorted.values().stream().map(p -> p.hash).toList(), now));
            ready.put(Wire.HASH_WITHOUT_IMAGE, HashPieces.text(sorted.values().stream().map(p -> p.withoutImage).toList(), now));
            return Collections.unmodifiableMap(ready);
        }
    }

    /** The hash annotations of these sets at this time. */
    private record Texts(List<CompiledSet> sets, String now, Map<String, QuotedText> ready) {
        /** Whether they are those of these very objects. */
        @SuppressWarnings("ReferenceEquality") // to compare what is in them would take longer than to write the texts
        boolean areOf(List<CompiledSet> others, String time) {
            if (sets.size() != others.size() || !now.equals(time)) {
                return false;
            }
            for (int i = 0; i < sets.size(); i++) {
                if (sets.get(i) != others.get(i)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static Entry wanted(CompiledSet compiled, Optional<String> time) {
        SidecarSet set = compiled.set();
        return new Entry(time, set.hash(), set.name(), Optional.of(compiled.sidecarList()), set.status().latestRevision());
    }

    private static Entry wantedWithoutImage(CompiledSet compiled, Optional<String> time) {
        SidecarSet set = compiled.set();
        return new Entry(time, set.hashWithoutImage(), set.name(), Optional.of(compiled.sidecarList()), "");
    }
}

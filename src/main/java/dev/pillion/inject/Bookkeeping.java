package dev.pillion.inject;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.CompiledSet;
import dev.pillion.podmeta.HashAnnotation;
import dev.pillion.podmeta.HashAnnotation.Entry;
import dev.pillion.podmeta.HashAnnotation.Form;
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
        return new HashAnnotation(Form.OLD, new java.util.TreeMap<>(named), read.texts());
    }

    /** Refuses texts that are neither shape (trap 24); null counts as no entries, where the reference crashes. */
    Bookkeeping readable() throws RefusedException {
        refuseDamaged(Wire.HASH, hashes);
        refuseDamaged(Wire.HASH_WITHOUT_IMAGE, withoutImage);
        return this;
    }

    private void refuseDamaged(String key, HashAnnotation annotation) throws RefusedException {
        if (annotation.form() == Form.DAMAGED || annotation.form() == Form.MIXED) {
            throw RefusedException.of(Reason.ANNOTATION_UNREADABLE,
                    "annotation " + key + " of Pod " + pod.describe() + " cannot be read; remove it from the Pod or its template");
        }
    }

    /** Whether the pod's entries of the set are those that would be written now, apart from the time. */
    boolean isCurrent(SidecarSet set) {
        return isCurrent(hashes, set.name(), wanted(set)) && isCurrent(withoutImage, set.name(), wantedWithoutImage(set));
    }

    /** What the pod says about a set. */
    Optional<Entry> entry(String set) {
        return Optional.ofNullable(hashes.readable().get(set));
    }

    private static boolean isCurrent(HashAnnotation annotation, String set, Entry wanted) {
        Entry entry = annotation.readable().get(set);
        return entry != null && entry.equals(new Entry(entry.updateTimestamp(), wanted.hash(), wanted.sidecarSetName(),
                wanted.sidecarList(), wanted.controllerRevision()));
    }

    /**
     * Writes list, hash and working annotations.
     *
     * @param listed all chosen sets
     * @param written those that get a new entry; the others keep what they have
     * @param working hot container -> twin that works, of all sets that have containers
     */
    void write(Map<String, String> annotations, List<CompiledSet> listed, List<SidecarSet> written, Map<String, String> working,
            String now) {
        HashAnnotation hash = HashAnnotation.present(hashes.entries());
        HashAnnotation without = HashAnnotation.present(withoutImage.entries());
        for (SidecarSet set : written) {
            hash = hash.with(set.name(), wanted(set).withTime(now));
            without = without.with(set.name(), wantedWithoutImage(set).withTime(now));
        }
        annotations.put(Wire.HASH, hash.write());
        annotations.put(Wire.HASH_WITHOUT_IMAGE, without.write());
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
    }

    private static Entry wanted(SidecarSet set) {
        return new Entry(Optional.empty(), set.hash(), set.name(), Optional.of(sidecarList(set)), set.status().latestRevision());
    }

    private static Entry wantedWithoutImage(SidecarSet set) {
        return new Entry(Optional.empty(), set.hashWithoutImage(), set.name(), Optional.of(sidecarList(set)), "");
    }

    private static List<String> sidecarList(SidecarSet set) {
        return Stream.concat(set.containers().stream(), set.initContainers().stream().filter(SidecarContainer::isNative))
                .map(SidecarContainer::name).distinct().sorted(ByteOrder.UTF8).toList();
    }

    /** Names the set's containers have in pods: twins for hot ones. */
    static Set<String> podNames(CompiledSet set) {
        Set<String> names = new HashSet<>();
        set.containers().forEach(c -> names.addAll(c.written().podNames()));
        set.initContainers().forEach(c -> names.addAll(c.written().isNative() ? c.written().podNames() : List.of(c.name())));
        return names;
    }
}

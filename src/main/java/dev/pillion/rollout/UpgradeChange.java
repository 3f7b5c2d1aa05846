package dev.pillion.rollout;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.api.MarkTexts;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.Container;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.PodState;
import dev.pillion.podmeta.HashAnnotation.Entry;
import dev.pillion.podmeta.MetadataPatch;
import dev.pillion.podmeta.WorkingMap;

import tools.jackson.databind.JsonNode;

/**
 * What an upgrade changes in one Pod (rollout.md 9).
 *
 * @param images container name -> wanted image of each container noted as changed (9.2)
 * @param annotations key -> new text
 */
record UpgradeChange(Map<String, String> images, SortedMap<String, String> annotations) {

    static UpgradeChange of(SidecarSet set, PodView pod, Map<String, String> metadataAnnotations, String latestRevision,
            RolloutOptions options, Instant now) {
        SequencedMap<String, String> images = new LinkedHashMap<>();
        SortedMap<String, String> annotations = new TreeMap<>(ByteOrder.UTF8);
        MarkTexts raw = pod.marks().raw();
        if (!options.fixesFaults()) {
            refuseNull(set, pod, Wire.HASH);
            refuseNull(set, pod, Wire.IN_PLACE_STATE);
        }
        HotChange hot = new HotChange(set, pod, options, images, annotations);
        for (SidecarContainer container : set.containers()) {
            if (container.isHot()) {
                hot.upgrade(container);
            } else if (image(pod, container.name()).filter(i -> !i.equals(container.image())).isPresent()) {
                images.put(container.name(), container.image());
            }
        }
        Entry own = new Entry(Optional.of(GoTime.write(now)), set.hash(), set.name(), Optional.of(sidecarList(set)), latestRevision);
        HashRewrite hashes = HashRewrite.of(raw.text(Wire.HASH), raw.text(Wire.HASH_WITHOUT_IMAGE), set.name(),
                own, options, now);
        annotations.put(Wire.HASH, hashes.hash());
        hashes.withoutImage().ifPresent(text -> annotations.put(Wire.HASH_WITHOUT_IMAGE, text));
        annotations.put(Wire.IN_PLACE_STATE, PodPatch.inPlace(set, pod, images.sequencedKeySet(), options, now));
        patchMetadata(set, pod, metadataAnnotations, annotations);
        return new UpgradeChange(images, annotations);
    }

    /** Rule 9.7: the set's metadata patches on top of what the upgrade wrote; only what they change goes along. */
    private static void patchMetadata(SidecarSet set, PodView pod, Map<String, String> before, SortedMap<String, String> annotations) {
        if (set.patchPodMetadata().isEmpty()) {
            return;
        }
        Map<String, String> all = new LinkedHashMap<>(before);
        all.putAll(annotations);
        switch (MetadataPatch.apply(all, set.patchPodMetadata())) {
            case MetadataPatch.Outcome.Applied(Map<String, String> after) -> after.forEach((key, value) -> {
                if (!value.equals(all.get(key))) {
                    annotations.put(key, value);
                }
            });
            case MetadataPatch.Outcome.Refused(String key, String text) ->
                throw new IllegalStateException("annotation " + key + " of pod " + pod.key() + " refuses the metadata patch of SidecarSet "
                        + set.name() + ": " + text);
        }
    }

    /** The reference crashes on these texts (trap V); in reference mode the Pod is left alone instead. */
    private static void refuseNull(SidecarSet set, PodView pod, String key) {
        Optional<JsonNode> read = Json.tryRead(pod.marks().raw().text(key));
        if (read.filter(n -> n.isNull() || (key.equals(Wire.IN_PLACE_STATE) && n.path(set.name()).isNull())).isPresent()) {
            throw new IllegalStateException("annotation " + key + " of pod " + pod.key() + " is null; remove it");
        }
    }

    /** Compatible: an init container of the name comes first (trap s). */
    private static Optional<String> image(PodView pod, String name) {
        for (List<Container> list : List.of(pod.initContainers(), pod.containers())) {
            for (Container container : list) {
                if (container.name().equals(name)) {
                    return Optional.of(container.image());
                }
            }
        }
        return Optional.empty();
    }

    /** Base names of containers and native sidecars, sorted, none twice (9.3). */
    private static List<String> sidecarList(SidecarSet set) {
        TreeSet<String> names = new TreeSet<>(ByteOrder.UTF8);
        set.containers().forEach(c -> names.add(c.name()));
        set.initContainers().stream().filter(SidecarContainer::isNative).forEach(c -> names.add(c.name()));
        return List.copyOf(names);
    }

    /** Section 10.2 and 10.3 for the hot containers of one Pod. */
    private static final class HotChange {
        private final SidecarSet set;
        private final PodView pod;
        private final RolloutOptions options;
        private final Map<String, String> images;
        private final Map<String, String> annotations;
        private final PodState state;
        private WorkingMap working;

        HotChange(SidecarSet set, PodView pod, RolloutOptions options, Map<String, String> images, Map<String, String> annotations) {
            this.set = set;
            this.pod = pod;
            this.options = options;
            this.images = images;
            this.annotations = annotations;
            this.state = PodState.of(set, options.imageCompare());
            this.working = WorkingMap.of(pod.marks().raw().text(Wire.WORKING_HOT_UPGRADE));
        }

        void upgrade(SidecarContainer container) {
            HotTwins twins = HotTwins.of(container, pod.marks().working());
            String target = target(twins);
            String stay = target.equals(twins.first()) ? twins.second() : twins.first();
            if (!HotTwins.image(pod, stay).equals(container.image())) {
                images.put(target, container.image()); // noted as changed even if it has that image already
                work(twins, target, stay);
            } else if (options.fixesFaults() && twins.working().equals(target) && !HotTwins.image(pod, target).equals(twins.emptyImage())) {
                work(twins, stay, target); // trap A: the sound twin takes over again and the other is flipped
            }
        }

        private String target(HotTwins twins) {
            if (HotTwins.image(pod, twins.first()).equals(twins.emptyImage())) {
                return twins.first();
            }
            if (HotTwins.image(pod, twins.second()).equals(twins.emptyImage())) {
                return twins.second();
            }
            boolean firstSound = isSound(twins.first());
            if (firstSound != isSound(twins.second())) {
                return firstSound ? twins.second() : twins.first();
            }
            return twins.idle();
        }

        private boolean isSound(String name) {
            return PodState.status(pod, name).filter(s -> s.ready()).isPresent() && state.isConsistent(pod, Set.of(name));
        }

        private void work(HotTwins twins, String next, String before) {
            String version = set.resourceVersion();
            working = working.with(twins.name(), next);
            annotations.put(Wire.WORKING_HOT_UPGRADE, working.write());
            annotations.put(Wire.VERSION_PREFIX + next, version);
            annotations.put(Wire.VERSION_ALT_PREFIX + next, pod.marks().raw().text(Wire.VERSION_PREFIX + before));
            annotations.put(Wire.VERSION_ALT_PREFIX + before, version);
        }
    }
}

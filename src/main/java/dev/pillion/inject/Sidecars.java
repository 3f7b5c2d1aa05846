package dev.pillion.inject;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.GoTime;
import dev.pillion.api.Json;
import dev.pillion.api.QuotedText;
import dev.pillion.api.TypedCover;
import dev.pillion.api.Wire;
import dev.pillion.inject.Injection.Verdict;
import dev.pillion.match.CompiledContainer;
import dev.pillion.match.CompiledSet;
import dev.pillion.podmeta.MetadataPatch;
import dev.pillion.podmeta.MetadataPatch.SameValue;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pod's lists and annotations after the sets were applied (injection.md 6).
 *
 * @param ready of the annotations, those known in the form in which they go out
 * @param repeatedSecrets indexes of the pod's own pull secrets that repeat an earlier name
 */
record Sidecars(Map<String, String> annotations, Map<String, QuotedText> ready, List<Slot> initContainers, List<Slot> containers,
        List<ObjectNode> volumes, List<Integer> repeatedSecrets, List<ObjectNode> secrets, List<String> warnings, boolean isEmpty) {

    /** The pod as it is. */
    static Sidecars none(RawPod pod) {
        return metadataOnly(pod, pod.annotations());
    }

    private static Sidecars metadataOnly(RawPod pod, Map<String, String> annotations) {
        return new Sidecars(annotations, Map.of(), new Placement(pod, "initContainers").slots(), new Placement(pod, "containers").slots(),
                List.of(),
                List.of(), List.of(), List.of(), true);
    }

    /**
     * Applies the chosen sets in order:
     * <ol>
     * <li>patchPodMetadata of every set;
     * <li>the bookkeeping annotations are read; damaged ones refuse the pod;
     * <li>all containers are built from the pod as submitted;
     * <li>nothing built: only the patched metadata remains;
     * <li>containers are placed, volumes and pull secrets collected, bookkeeping written.
     * </ol>
     */
    static Sidecars of(RawPod pod, List<CompiledSet> chosen, Moment moment, InjectOptions options, List<Verdict> verdicts)
            throws RefusedException {
        if (chosen.isEmpty()) {
            return none(pod);
        }
        boolean keeps = options.repeat() == InjectOptions.Repeat.KEEP;
        Set<String> current = keeps ? current(pod, chosen) : Set.of();
        Map<String, String> annotations = patched(pod, chosen, current, keeps ? SameValue.KEEP : SameValue.REWRITE);
        Bookkeeping bookkeeping = Bookkeeping.of(pod, annotations).readable(annotations);
        Work work = new Work(pod, chosen, annotations, keeps, options);
        work.build(chosen);
        if (work.initContainers.isEmpty() && work.containers.isEmpty()) {
            chosen.forEach(set -> verdicts.add(new Verdict(set.name(), Reason.NOTHING_TO_INJECT.word())));
            return metadataOnly(pod, annotations);
        }
        List<String> warnings = new ArrayList<>();
        Placement init = place(pod, "initContainers", work.initContainers, InjectOptions.Sort.BY_NAME, current, options, warnings);
        Placement regular = place(pod, "containers", work.containers, options.sort(), current, options, warnings);
        warnOfOneNameInBothLists(pod, init.slots(), regular.slots(), warnings);
        Set<String> changed = new HashSet<>(init.changedSets());
        changed.addAll(regular.changedSets());
        List<CompiledSet> written = new ArrayList<>();
        Set<String> writtenNames = new HashSet<>();
        for (CompiledSet set : chosen) {
            if (!work.builtSets.contains(set.name())) {
                verdicts.add(new Verdict(set.name(), Reason.NOTHING_TO_INJECT.word()));
            } else if (current.contains(set.name()) && !changed.contains(set.name())) {
                verdicts.add(new Verdict(set.name(), Reason.ALREADY_INJECTED.word()));
            } else {
                written.add(set);
                writtenNames.add(set.name());
                verdicts.add(new Verdict(set.name(), Reason.INJECTED.word(), work.notes.of(set.name())));
            }
        }
        Map<String, String> working = new TreeMap<>(ByteOrder.UTF8);
        for (CompiledSet set : chosen) {
            Map<String, String> marks = work.twinAnnotations.getOrDefault(set.name(), Map.of());
            if (writtenNames.contains(set.name())) {
                annotations.putAll(marks);
            } else {
                // Versions may have moved on, but none may lack, and it is the first twin that has the image (FR-02).
                marks.forEach(annotations::putIfAbsent);
            }
            set.hotNames().forEach(name -> working.put(name, name + "-1"));
        }
        Map<String, QuotedText> ready = bookkeeping.write(annotations, chosen, written, working, GoTime.write(moment.now()));
        return new Sidecars(annotations, ready, init.slots(), regular.slots(), volumes(pod, work.volumes, warnings), repeatedSecrets(pod),
                secrets(pod, chosen), warnings, false);
    }

    /** Sets whose entries are up to date and whose containers are all there (traps 32, 33). */
    private static Set<String> current(RawPod pod, List<CompiledSet> chosen) {
        Bookkeeping before = Bookkeeping.of(pod, pod.annotations());
        List<CompiledSet> entered = chosen.stream().filter(before::isCurrent).toList();
        if (entered.isEmpty()) {
            return Set.of();
        }
        Set<String> there = new HashSet<>();
        for (String member : List.of("initContainers", "containers")) {
            for (JsonNode container : pod.list(member)) {
                if (Parts.isMarked(container)) {
                    there.add(Parts.name(container));
                }
            }
        }
        return entered.stream().filter(set -> there.containsAll(set.podNames())).map(CompiledSet::name).collect(Collectors.toSet());
    }

    private static Map<String, String> patched(RawPod pod, List<CompiledSet> chosen, Set<String> current, SameValue same)
            throws RefusedException {
        Map<String, String> annotations = new LinkedHashMap<>(pod.annotations());
        for (CompiledSet set : chosen) {
            if (current.contains(set.name()) || set.set().patchPodMetadata().isEmpty()) {
                continue;
            }
            boolean leavesMark = !set.containers().isEmpty() || !set.initContainers().isEmpty();
            switch (MetadataPatch.apply(annotations, set.set().patchPodMetadata(), leavesMark ? SameValue.REWRITE : same)) {
                case MetadataPatch.Outcome.Applied(Map<String, String> after) -> annotations.putAll(after);
                case MetadataPatch.Outcome.Refused(String key, String text) -> throw RefusedException.of(Reason.METADATA_PATCH,
                        "SidecarSet " + set.name() + ": patchPodMetadata of annotation " + key + " of Pod " + pod.describe() + ": " + text)
                        .by(set.name());
            }
        }
        return annotations;
    }

    private static Placement place(RawPod pod, String member, List<Built> built, InjectOptions.Sort sort, Set<String> current,
            InjectOptions options, List<String> warnings) throws RefusedException {
        List<Built> ordered = new ArrayList<>(built);
        if (sort == InjectOptions.Sort.BY_NAME) {
            ordered.sort(Comparator.comparing(Built::name, ByteOrder.UTF8));
        }
        Placement placement = new Placement(pod, member);
        placement.place(ordered, current, options.sameName(), warnings);
        return placement;
    }

    /** Compatible: admitted; the API server then refuses the pod, without a word on where the container comes from (injection.md 11). */
    private static void warnOfOneNameInBothLists(RawPod pod, List<Slot> init, List<Slot> regular, List<String> warnings) {
        if (init.isEmpty()) {
            return;
        }
        Map<String, Slot> byName = new HashMap<>();
        init.forEach(slot -> byName.put(Parts.name(slot.container()), slot));
        for (Slot slot : regular) {
            String name = Parts.name(slot.container());
            Slot other = byName.get(name);
            if (other != null && !(slot.set() + other.set()).isEmpty()) {
                warnings.add("container and init container \"" + name + "\" of Pod " + pod.describe() + " have one name, and "
                        + (slot.set().isEmpty()
                                ? "the init container comes from SidecarSet " + other.set()
                                : "the container comes from SidecarSet " + slot.set())
                        + "; the API server will refuse the Pod: rename one of them");
            }
        }
    }

    /** The pod's own volume wins, whatever it holds (trap 9). */
    private static List<ObjectNode> volumes(RawPod pod, Map<String, ObjectNode> wanted, List<String> warnings) {
        List<ObjectNode> added = new ArrayList<>();
        wanted.forEach((name, volume) -> {
            Optional<JsonNode> own = pod.volume(name);
            if (own.isEmpty()) {
                added.add(volume);
            } else if (!TypedCover.inPod(own.get(), volume, "Volume")) {
                warnings.add("volume \"" + name + "\" of Pod " + pod.describe() + " is used in place of the SidecarSet's of that name");
            }
        });
        return added;
    }

    private static List<Integer> repeatedSecrets(RawPod pod) {
        Set<String> names = new HashSet<>();
        List<Integer> repeated = new ArrayList<>();
        List<JsonNode> own = pod.list("imagePullSecrets");
        for (int i = 0; i < own.size(); i++) {
            if (!names.add(Parts.name(own.get(i)))) {
                repeated.add(i);
            }
        }
        return repeated;
    }

    private static List<ObjectNode> secrets(RawPod pod, List<CompiledSet> chosen) {
        Set<String> own = new HashSet<>();
        pod.list("imagePullSecrets").forEach(s -> own.add(Parts.name(s)));
        Set<String> added = new LinkedHashSet<>();
        for (CompiledSet set : chosen) {
            for (String name : set.set().imagePullSecrets()) {
                if (!own.contains(name)) {
                    added.add(name);
                }
            }
        }
        List<ObjectNode> secrets = new ArrayList<>();
        added.forEach(name -> secrets.add(Json.object().put("name", name)));
        return secrets;
    }

    /** Everything built for one request, before it is placed. */
    private static final class Work {
        private final SidecarBuilder builder;
        private final RawPod pod;
        private final List<Built> initContainers = new ArrayList<>();
        private final List<Built> containers = new ArrayList<>();
        private final Map<String, ObjectNode> volumes = new LinkedHashMap<>();
        private final Map<String, Map<String, String>> twinAnnotations = new LinkedHashMap<>();
        private final Set<String> builtSets = new HashSet<>();
        private final Notes notes;

        Work(RawPod pod, List<CompiledSet> chosen, Map<String, String> annotations, boolean hidesOwn, InjectOptions options) {
            PodFacts facts = hidesOwn
                    ? new PodFacts(pod, annotations, name -> isOfAny(chosen, name), Set.of(Wire.LAUNCH_BARRIER))
                    : new PodFacts(pod, annotations, _ -> false, Set.of());
            notes = new Notes(options.look());
            this.pod = pod;
            builder = new SidecarBuilder(facts, new ResourcesPolicy(pod, facts, chosen, options.variableSearch()), notes);
        }

        private static boolean isOfAny(List<CompiledSet> sets, String podName) {
            for (CompiledSet set : sets) {
                if (set.podNames().contains(podName)) {
                    return true;
                }
            }
            return false;
        }

        void build(List<CompiledSet> chosen) throws RefusedException {
            for (CompiledSet set : chosen) {
                try {
                    for (CompiledContainer container : set.initContainers()) {
                        add(set, container, container.written().isHot() && container.written().isNative(), initContainers);
                    }
                    for (CompiledContainer container : set.containers()) {
                        add(set, container, container.written().isHot(), containers);
                    }
                } catch (RefusedException e) {
                    throw e.by(set.name());
                }
            }
        }

        private void add(CompiledSet set, CompiledContainer container, boolean hot, List<Built> into) throws RefusedException {
            if (hot) {
                builder.buildTwins(set, container, into, twinAnnotations.computeIfAbsent(set.name(), _ -> new LinkedHashMap<>()));
            } else {
                builder.build(set, container, into);
            }
            builtSets.add(set.name());
            for (String name : container.written().volumeNames()) {
                ObjectNode volume = set.volumes().get(name);
                if (volume != null) {
                    volumes.putIfAbsent(name, volume);
                } else if (pod.volume(name).isEmpty()) {
                    notes.add(set.name(), () -> "container " + container.name() + " mounts volume " + name
                            + ", which neither the SidecarSet nor the Pod has; the API server will refuse the Pod");
                }
            }
        }
    }
}

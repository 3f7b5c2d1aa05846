package dev.pillion.validate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.SetIndex;

import tools.jackson.databind.node.ObjectNode;

/**
 * Clashes with other sets that could match the same pod (validation.md 10).
 *
 * <ol>
 * <li>Take the sets that share a container, volume or annotation name with this one; the others cannot clash.
 * <li>Leave out the set itself, and the relatives that are excused: for a canary its base; with traps fixed also canaries of this set
 * (trap 4).
 * <li>Keep those whose namespaces and selectors overlap.
 * <li>Report each shared name that both may put into one pod.
 * </ol>
 *
 * Strict also compares init containers with regular ones, twins of hot-upgrade containers, and every set that uses a name instead of
 * the last one; and it excuses no relatives (settings.md, validation.overlap).
 */
final class Conflicts {
    private static final String CONTAINERS = "spec.containers";

    /** Which relatives of the set may share names with it. */
    enum Excused {
        NONE, OWN_BASE, BASE_AND_CANARIES
    }

    private final Overlap overlap;
    private final ValidateOptions.Overlap mode;
    private final Excused excused;
    private final Faults faults = new Faults();

    private Conflicts(ValidateOptions.Overlap mode, Excused excused) {
        this.overlap = new Overlap(mode);
        this.mode = mode;
        this.excused = excused;
    }

    /** The conflicts for which a set is refused. */
    static List<Fault> of(SidecarSet set, SetIndex index, ValidateOptions options) {
        return switch (options.overlap()) {
            case COMPATIBLE ->
                new Conflicts(options.overlap(), options.fixes() ? Excused.BASE_AND_CANARIES : Excused.OWN_BASE).find(set, index);
            case STRICT -> new Conflicts(options.overlap(), Excused.NONE).find(set, index);
        };
    }

    /** What an accepted set should be warned of: real conflicts that the compatible check overlooks (trap 5). */
    static List<Fault> overlooked(SidecarSet set, SetIndex index, ValidateOptions options) {
        return switch (options.overlap()) {
            case COMPATIBLE -> new Conflicts(ValidateOptions.Overlap.STRICT, Excused.BASE_AND_CANARIES).find(set, index);
            case STRICT -> List.of();
        };
    }

    /** Another set, with the names of one kind that it uses and what it uses them for. */
    private record User<T>(SidecarSet set, T use) {
    }

    private List<Fault> find(SidecarSet set, SetIndex index) {
        List<SidecarSet> others = index.sharingNames(set).stream().filter(o -> !isExcused(set, o) && overlap.canMatchOnePod(set, o))
                .toList();
        switch (mode) {
            case COMPATIBLE -> {
                // Compatible: init containers are reported at spec.containers too (trap 8).
                containers(set, others, "init container", SidecarSet::initContainers);
                containers(set, others, "container", SidecarSet::containers);
            }
            case STRICT -> allContainers(set, others);
        }
        volumes(set, others);
        annotations(set, others);
        return faults.list();
    }

    private boolean isExcused(SidecarSet set, SidecarSet other) {
        boolean ownBase = set.canaryOf().filter(other.name()::equals).isPresent();
        boolean ownCanary = other.canaryOf().filter(set.name()::equals).isPresent();
        return other.name().equals(set.name()) || switch (excused) {
            case NONE -> false;
            case OWN_BASE -> ownBase;
            case BASE_AND_CANARIES -> ownBase || ownCanary;
        };
    }

    /** Who counts of those that use a name: all, or compatibly the last by name, as the reference overwrites. */
    private <T> List<T> counted(List<T> users) {
        return mode == ValidateOptions.Overlap.STRICT || users.isEmpty() ? users : List.of(users.getLast());
    }

    private static <T> void add(Map<String, List<T>> users, Collection<String> names, T user) {
        Set.copyOf(names).forEach(n -> users.computeIfAbsent(n, _ -> new ArrayList<>(1)).add(user));
    }

    private void containers(SidecarSet set, List<SidecarSet> others, String what,
            Function<SidecarSet, List<SidecarContainer>> list) {
        Map<String, List<SidecarSet>> users = new LinkedHashMap<>();
        others.forEach(o -> add(users, list.apply(o).stream().map(SidecarContainer::name).toList(), o));
        for (SidecarContainer container : list.apply(set)) {
            counted(users.getOrDefault(container.name(), List.of()))
                    .forEach(other -> clash(what, container.name(), CONTAINERS, set, other));
        }
    }

    /** Both kinds of container against both, as they are called in the sets and in pods. */
    private void allContainers(SidecarSet set, List<SidecarSet> others) {
        Map<String, List<SidecarSet>> users = new LinkedHashMap<>();
        others.forEach(o -> add(users, allNames(o), o));
        for (String name : allNames(set)) {
            users.getOrDefault(name, List.of()).forEach(other -> clash("container", name, CONTAINERS, set, other));
        }
    }

    private static Set<String> allNames(SidecarSet set) {
        Set<String> names = new LinkedHashSet<>();
        for (SidecarContainer container : set.initContainers()) {
            names.add(container.name());
            names.addAll(container.initPodNames());
        }
        for (SidecarContainer container : set.containers()) {
            names.add(container.name());
            names.addAll(container.podNames());
        }
        return names;
    }

    private void volumes(SidecarSet set, List<SidecarSet> others) {
        Map<String, List<User<ObjectNode>>> users = new LinkedHashMap<>();
        for (SidecarSet other : others) {
            Map<String, ObjectNode> own = new LinkedHashMap<>();
            other.volumes().forEach(v -> own.put(Json.text(v, "name"), v));
            own.forEach((name, volume) -> add(users, List.of(name), new User<>(other, volume)));
        }
        for (ObjectNode volume : set.volumes()) {
            String name = Json.text(volume, "name");
            counted(users.getOrDefault(name, List.of())).stream().filter(u -> !u.use.equals(volume))
                    .forEach(u -> clash("volume", name, "spec.volumes", set, u.set));
        }
    }

    private void annotations(SidecarSet set, List<SidecarSet> others) {
        Map<String, List<User<String>>> users = new LinkedHashMap<>();
        for (SidecarSet other : others) {
            policies(other).forEach((key, policy) -> add(users, List.of(key), new User<>(other, policy)));
        }
        policies(set).forEach((key, policy) -> counted(users.getOrDefault(key, List.of())).stream()
                .filter(u -> policy.equals("Overwrite") || u.use.equals("Overwrite"))
                .forEach(u -> clash("patched annotation", key, "spec.patchPodMetadata", set, u.set)));
    }

    /** The policy of each patched annotation but those that only fill gaps. */
    private static Map<String, String> policies(SidecarSet set) {
        Map<String, String> policies = new LinkedHashMap<>();
        set.patchPodMetadata().stream().filter(p -> !p.patchPolicy().equals("Retain"))
                .forEach(p -> p.annotations().keySet().forEach(k -> policies.put(k, p.patchPolicy())));
        return policies;
    }

    private void clash(String what, String name, String path, SidecarSet set, SidecarSet other) {
        faults.invalid(path,
                what + " " + Faults.quoted(name) + " is also in SidecarSet " + Faults.quoted(other.name())
                        + ", and one pod could match both ("
                        + why(set, other) + "): rename it, or keep the selectors or namespaces apart");
    }

    /** An example of labels that both match. */
    private static String why(SidecarSet set, SidecarSet other) {
        Optional<Map<String, String>> pod = Overlap.example(Overlap.selectors(set.selector(), other.selector()));
        Optional<Map<String, String>> namespace = Overlap.example(Overlap.selectors(set.namespaceSelector(), other.namespaceSelector()));
        if (pod.isEmpty() || namespace.isEmpty()) {
            // Traps 5 and 6: the compatible check takes more for overlapping than is.
            return "their selectors are taken to overlap";
        }
        boolean anywhere = set.namespaceSelector().isEmpty() && other.namespaceSelector().isEmpty();
        return "such as one " + labels(pod.get()) + " in " + (anywhere ? "any namespace" : "a namespace " + labels(namespace.get()));
    }

    private static String labels(Map<String, String> labels) {
        return labels.isEmpty()
                ? "without labels"
                : "with " + String.join(",", labels.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
    }
}

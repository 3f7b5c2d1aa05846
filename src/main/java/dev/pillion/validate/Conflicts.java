package dev.pillion.validate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
 * <li>Leave out the set itself and, for a canary, its base; with traps fixed also canaries of this set (trap 4).
 * <li>Keep those whose namespaces and selectors overlap.
 * <li>Report each shared name that both may put into one pod.
 * </ol>
 */
final class Conflicts {
    private final Faults faults;
    private final ValidateOptions options;

    Conflicts(Faults faults, ValidateOptions options) {
        this.faults = faults;
        this.options = options;
    }

    private record Names(Set<String> init, Set<String> containers, Map<String, ObjectNode> volumes, Map<String, String> annotations) {
        static Names of(SidecarSet set) {
            Map<String, ObjectNode> volumes = new HashMap<>();
            set.volumes().forEach(v -> volumes.put(Json.text(v, "name"), v));
            Map<String, String> annotations = new HashMap<>();
            set.patchPodMetadata().stream().filter(p -> !p.patchPolicy().equals("Retain"))
                    .forEach(p -> p.annotations().keySet().forEach(k -> annotations.put(k, p.patchPolicy())));
            return new Names(names(set.initContainers()), names(set.containers()), volumes, annotations);
        }

        private static Set<String> names(List<SidecarContainer> containers) {
            Set<String> names = new HashSet<>();
            containers.forEach(c -> names.add(c.name()));
            return names;
        }
    }

    void check(SidecarSet set, SetIndex index) {
        Names own = Names.of(set);
        Overlap overlap = new Overlap(options.overlap());
        // The last set by name wins where several share one name, as in the reference.
        Map<String, SidecarSet> inits = new TreeMap<>();
        Map<String, SidecarSet> containers = new TreeMap<>();
        Map<String, SidecarSet> volumes = new TreeMap<>();
        Map<String, SidecarSet> annotations = new TreeMap<>();
        for (SidecarSet other : index.sharingNames(set)) {
            if (isOutOfQuestion(set, other) || !overlap.canMatchOnePod(set, other)) {
                continue;
            }
            Names names = Names.of(other);
            names.init.forEach(n -> inits.put(n, other));
            names.containers.forEach(n -> containers.put(n, other));
            if (options.overlap() == ValidateOptions.Overlap.STRICT) {
                names.init.forEach(n -> containers.putIfAbsent(n, other));
                names.containers.forEach(n -> inits.putIfAbsent(n, other));
            }
            names.volumes.keySet().forEach(n -> volumes.put(n, other));
            names.annotations.keySet().forEach(n -> annotations.put(n, other));
        }
        // Compatible: init containers are reported at spec.containers too (trap 8).
        set.initContainers().forEach(c -> clash("init container", c.name(), inits, "spec.containers", set));
        set.containers().forEach(c -> clash("container", c.name(), containers, "spec.containers", set));
        for (ObjectNode volume : set.volumes()) {
            String name = Json.text(volume, "name");
            SidecarSet other = volumes.get(name);
            if (other != null && !volume.equals(Names.of(other).volumes.get(name))) {
                clash("volume", name, volumes, "spec.volumes", set);
            }
        }
        own.annotations.forEach((key, policy) -> {
            SidecarSet other = annotations.get(key);
            if (other != null && (policy.equals("Overwrite") || "Overwrite".equals(Names.of(other).annotations.get(key)))) {
                clash("patched annotation", key, annotations, "spec.patchPodMetadata", set);
            }
        });
    }

    private boolean isOutOfQuestion(SidecarSet set, SidecarSet other) {
        if (other.name().equals(set.name()) || set.canaryOf().filter(other.name()::equals).isPresent()) {
            return true;
        }
        return options.fixes() && other.canaryOf().filter(set.name()::equals).isPresent();
    }

    private void clash(String what, String name, Map<String, SidecarSet> owners, String path, SidecarSet set) {
        SidecarSet other = owners.get(name);
        if (other != null) {
            faults.invalid(path, what + " " + Faults.quoted(name) + " is also in SidecarSet " + Faults.quoted(other.name())
                    + ", and one pod could match both (" + why(set, other) + "): rename it, or keep the selectors or namespaces apart");
        }
    }

    private static String why(SidecarSet set, SidecarSet other) {
        String namespaces = set.namespaceSelector().isEmpty() || other.namespaceSelector().isEmpty()
                ? "at least one of them looks at all namespaces"
                : "their namespaceSelectors overlap";
        return namespaces + ", and their selectors overlap";
    }
}

package dev.pillion.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.Json;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;

/** Which sets use a container, volume or patched annotation name, so that a conflict check costs by the sets that share one. */
final class NameIndex {
    private enum Kind {
        CONTAINER, VOLUME, ANNOTATION
    }

    private record Name(Kind kind, String text) {
    }

    private final Map<Name, List<SidecarSet>> users = new HashMap<>();

    NameIndex(Collection<SidecarSet> sets) {
        sets.forEach(set -> names(set).forEach(name -> users.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(set)));
    }

    /** Sets that share a name of some kind with this one, the set itself included when it is stored; by name. */
    List<SidecarSet> sharing(SidecarSet set) {
        Map<String, SidecarSet> sharing = new HashMap<>();
        names(set).forEach(name -> users.getOrDefault(name, List.of()).forEach(other -> sharing.put(other.name(), other)));
        return sharing.values().stream().sorted(Comparator.comparing(SidecarSet::name, ByteOrder.UTF8)).toList();
    }

    private static Set<Name> names(SidecarSet set) {
        Set<Name> names = new LinkedHashSet<>();
        set.initContainers().forEach(c -> names.add(new Name(Kind.CONTAINER, c.name())));
        for (SidecarContainer container : set.containers()) {
            names.add(new Name(Kind.CONTAINER, container.name()));
            container.podNames().forEach(n -> names.add(new Name(Kind.CONTAINER, n)));
        }
        set.volumes().forEach(v -> names.add(new Name(Kind.VOLUME, Json.text(v, "name"))));
        set.patchPodMetadata().forEach(p -> p.annotations().keySet().forEach(k -> names.add(new Name(Kind.ANNOTATION, k))));
        return names;
    }
}

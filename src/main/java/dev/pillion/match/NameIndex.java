package dev.pillion.match;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.Json;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;

/**
 * Which sets use a container, volume or patched annotation name, so that a conflict check costs by the sets that share one. An index
 * after a change takes over what the earlier one knows and only adds the sets that changed; when those grow too many, all is read anew.
 */
final class NameIndex {
    /** Of all sets, how many may have changed before everything is read anew: one in this many. */
    private static final int SHARE_OF_CHANGES = 8;

    enum Kind {
        CONTAINER, VOLUME, ANNOTATION
    }

    record Name(Kind kind, String text) {
    }

    /** Sets as they were once, by name, and by the names they use; never changed after it is filled. */
    record Base(Map<String, SidecarSet> sets, Map<Name, List<SidecarSet>> users) {
        static Base of(Collection<SidecarSet> sets) {
            Map<String, SidecarSet> byName = new HashMap<>();
            Map<Name, List<SidecarSet>> users = new HashMap<>();
            for (SidecarSet set : sets) {
                byName.put(set.name(), set);
                names(set).forEach(name -> users.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(set));
            }
            return new Base(byName, users);
        }
    }

    private final Base base;
    /** What is new or different since. */
    private final Base changes;
    private final Map<SetKey, CompiledSet> current;

    private NameIndex(Base base, Base changes, Map<SetKey, CompiledSet> current) {
        this.base = base;
        this.changes = changes;
        this.current = current;
    }

    /** @param earlier what an index before the last changes knew, if there was one */
    static NameIndex of(Map<SetKey, CompiledSet> current, Optional<Base> earlier) {
        if (earlier.isPresent()) {
            Base base = earlier.get();
            List<SidecarSet> changed = current.values().stream().map(CompiledSet::set).filter(s -> !isSame(base.sets.get(s.name()), s))
                    .toList();
            int gone = base.sets.size() - (current.size() - changed.size());
            if (changed.size() + gone <= current.size() / SHARE_OF_CHANGES) {
                return new NameIndex(base, Base.of(changed), current);
            }
        }
        return new NameIndex(Base.of(current.values().stream().map(CompiledSet::set).toList()), Base.of(List.of()), current);
    }

    Base base() {
        return base;
    }

    @SuppressWarnings("ReferenceEquality") // informers keep the instance of an unchanged object
    private static boolean isSame(@Nullable SidecarSet a, SidecarSet b) {
        return a == b;
    }

    /** Sets that share a name of some kind with this one, the set itself included when it is stored; by name. */
    List<SidecarSet> sharing(SidecarSet set) {
        Map<String, SidecarSet> sharing = new HashMap<>();
        for (Name name : names(set)) {
            for (Base part : List.of(base, changes)) {
                part.users.getOrDefault(name, List.of()).stream().filter(this::isCurrent)
                        .forEach(other -> sharing.put(other.name(), other));
            }
        }
        return sharing.values().stream().sorted(Comparator.comparing(SidecarSet::name, ByteOrder.UTF8)).toList();
    }

    private boolean isCurrent(SidecarSet set) {
        CompiledSet now = current.get(set.key());
        return now != null && isSame(now.set(), set);
    }

    private static Set<Name> names(SidecarSet set) {
        Set<Name> names = new LinkedHashSet<>();
        for (SidecarContainer container : set.initContainers()) {
            names.add(new Name(Kind.CONTAINER, container.name()));
            container.initPodNames().forEach(n -> names.add(new Name(Kind.CONTAINER, n)));
        }
        for (SidecarContainer container : set.containers()) {
            names.add(new Name(Kind.CONTAINER, container.name()));
            container.podNames().forEach(n -> names.add(new Name(Kind.CONTAINER, n)));
        }
        set.volumes().forEach(v -> names.add(new Name(Kind.VOLUME, Json.text(v, "name"))));
        set.patchPodMetadata().forEach(p -> p.annotations().keySet().forEach(k -> names.add(new Name(Kind.ANNOTATION, k))));
        return names;
    }
}

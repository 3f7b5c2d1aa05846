package dev.pillion.match;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;

/** Immutable snapshot of all SidecarSets and the Namespaces' labels; published by reference (design.md 3). */
public final class SetIndex {
    public static final SetIndex EMPTY = of(List.of(), List.of());

    private final Map<SetKey, SidecarSet> sets;
    private final Map<String, NamespaceView> namespaces;

    private SetIndex(Map<SetKey, SidecarSet> sets, Map<String, NamespaceView> namespaces) {
        this.sets = sets;
        this.namespaces = namespaces;
    }

    public static SetIndex of(Collection<SidecarSet> sets, Collection<NamespaceView> namespaces) {
        Map<SetKey, SidecarSet> byKey = new HashMap<>();
        sets.forEach(s -> byKey.put(s.key(), s));
        Map<String, NamespaceView> byName = new HashMap<>();
        namespaces.forEach(n -> byName.put(n.name(), n));
        return new SetIndex(byKey, byName);
    }

    public Optional<SidecarSet> set(SetKey key) {
        return Optional.ofNullable(sets.get(key));
    }

    public Collection<SidecarSet> sets() {
        return sets.values();
    }

    public Optional<NamespaceView> namespace(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    public Collection<NamespaceView> namespaces() {
        return namespaces.values();
    }
}

package dev.pillion.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;

/**
 * The objects an index is made of, as the watches told them, and what waits until the next index is out: Enqueues must not overtake
 * the index they rest on. Safe for all threads.
 */
final class Snapshot {
    /** A Namespace before and after. */
    record NamespaceChange(Optional<NamespaceView> old, Optional<NamespaceView> now) {
    }

    /** Everything since the last take. */
    record Taken(SetIndex.Content content, List<Wakeup> wakeups, List<NamespaceChange> namespaces) {
    }

    private final Map<SetKey, SidecarSet> sets = new HashMap<>();
    private final Map<String, NamespaceView> namespaces = new HashMap<>();
    private final Map<String, Revision> revisions = new HashMap<>();
    private Optional<String> whitelist = Optional.empty();
    private List<Wakeup> wakeups = new ArrayList<>();
    private List<NamespaceChange> namespaceChanges = new ArrayList<>();

    synchronized void set(Optional<SidecarSet> old, Optional<SidecarSet> now, Optional<Wakeup> wakeup) {
        old.ifPresent(s -> sets.remove(s.key()));
        now.ifPresent(s -> sets.put(s.key(), s));
        wakeup.ifPresent(wakeups::add);
    }

    synchronized void namespace(Optional<NamespaceView> old, Optional<NamespaceView> now) {
        old.ifPresent(n -> namespaces.remove(n.name()));
        now.ifPresent(n -> namespaces.put(n.name(), n));
        namespaceChanges.add(new NamespaceChange(old, now));
    }

    synchronized void revision(Optional<Revision> old, Optional<Revision> now) {
        old.ifPresent(r -> revisions.remove(r.name()));
        now.ifPresent(r -> revisions.put(r.name(), r));
    }

    synchronized void whitelist(Optional<String> text) {
        whitelist = text;
    }

    synchronized Taken take() {
        Taken taken = new Taken(content(), List.copyOf(wakeups), List.copyOf(namespaceChanges));
        wakeups = new ArrayList<>();
        namespaceChanges = new ArrayList<>();
        return taken;
    }

    private SetIndex.Content content() {
        Set<String> names = new HashSet<>();
        Map<String, Set<String>> versions = new HashMap<>();
        sets.values().forEach(s -> s.injectionStrategy().pin().ifPresent(pin -> {
            pin.revisionName().ifPresent(names::add);
            pin.customVersion().ifPresent(v -> versions.computeIfAbsent(s.name(), _ -> new HashSet<>()).add(v));
        }));
        List<Revision> pinned = revisions.values().stream()
                .filter(r -> names.contains(r.name()) || versions.getOrDefault(r.labels().getOrDefault(Wire.SET_NAME_LABEL, ""), Set.of())
                        .contains(r.labels().getOrDefault(Wire.CUSTOM_VERSION_LABEL, "")))
                .toList();
        return new SetIndex.Content(sets.values(), namespaces.values(), pinned, whitelist);
    }
}

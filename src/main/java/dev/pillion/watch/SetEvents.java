package dev.pillion.watch;

import java.util.List;
import java.util.Optional;

import dev.pillion.api.SidecarSet;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.watch.WatchOptions.Gaps;

/** Which sets a change of a set or a Namespace concerns (events.md 2; trap 7.4). Pure. */
final class SetEvents {
    private final WatchOptions options;

    SetEvents(WatchOptions options) {
        this.options = options;
    }

    /**
     * 1. Created or deleted: the set, at once. 2. Generation differs: the same. 3. Custom version differs: the same, since through
     * v1alpha1 it is a label, which does not raise the generation (trap 7.6). 4. Anything else: nothing (trap 7.5, kept).
     */
    Optional<Wakeup> set(Optional<SidecarSet> old, Optional<SidecarSet> now) {
        if (now.isEmpty()) {
            return old.map(o -> Wakeup.now(o.key(), Wakeup.SET_DELETED));
        }
        SidecarSet set = now.get();
        if (old.isEmpty() || !old.get().uid().equals(set.uid())) {
            return Optional.of(Wakeup.now(set.key(), Wakeup.SET_CREATED));
        }
        boolean version = options.gaps() == Gaps.CLOSED && !old.get().customVersion().equals(set.customVersion());
        return old.get().generation() != set.generation() || version
                ? Optional.of(Wakeup.now(set.key(), Wakeup.SET_CHANGED))
                : Optional.empty();
    }

    /** The sets whose namespace selector judges the Namespace differently now. Their Pods must all be looked at anew. */
    List<Wakeup> namespace(Optional<NamespaceView> old, Optional<NamespaceView> now, SetIndex index) {
        if (options.gaps() == Gaps.KEPT) {
            return List.of();
        }
        return index.all().stream().filter(s -> s.namespaceSelector().isPresent() && s.matchesNamespace(old) != s.matchesNamespace(now))
                .map(CompiledSet::set).map(s -> Wakeup.now(s.key(), Wakeup.NAMESPACE_CHANGED)).toList();
    }
}

package dev.pillion.match;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.FixedJson;
import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ObjectNode;

/**
 * A SidecarSet with everything that can be worked out before a pod comes: selectors parsed, container and volume fragments ready.
 *
 * @param selector empty when the set has none or an empty one: then it matches no pod (injection.md 4.4)
 * @param namespaceSelector empty when the set has none: then it matches every namespace
 * @param rollout the selector of the update strategy, which also takes part in the choice of a revision (injection.md 5)
 * @param namespaces the index value of injection.md 4.2; empty: cluster-wide
 * @param volumes by name, the first of equals
 * @param podNames names its containers have in pods, twins of hot ones included
 * @param sidecarList names of its containers and native sidecars, sorted: what the hash annotations tell (api.md 4.2)
 * @param hotNames names of its containers and native sidecars that are upgraded hot, without the twins' numbers
 * @param derived what others have worked out of it
 */
public record CompiledSet(SidecarSet set, Optional<Selector> selector, Optional<Selector> namespaceSelector, Optional<Selector> rollout,
        Optional<Set<String>> namespaces, List<CompiledContainer> initContainers, List<CompiledContainer> containers,
        Map<String, ObjectNode> volumes, Set<String> podNames, List<String> sidecarList,
        List<String> hotNames, Derived derived) {

    /** A place for one thing that only depends on a set, made when it is first wanted. Safe for all threads; two may make it at once. */
    public static final class Derived {
        private volatile @Nullable Object made;

        private Derived() {
        }

        /**
         * What was made before, or is made now.
         *
         * @param type what is asked for, always the same
         */
        public <T> T get(Class<T> type, Supplier<T> make) {
            Object known = made;
            if (known == null) {
                known = make.get();
                made = known;
            }
            return type.cast(known);
        }
    }

    /** Compiles one set; also used for what a revision restores, whose selectors are not looked at (api.md trap 17). */
    public static CompiledSet of(SidecarSet set) {
        Map<String, ObjectNode> volumes = new LinkedHashMap<>();
        set.volumes().forEach(v -> volumes.putIfAbsent(Json.text(v, "name"), FixedJson.of(v)));
        return new CompiledSet(set, set.selector().filter(s -> !s.isEmpty()).map(Selector::of), set.namespaceSelector().map(Selector::of),
                set.updateStrategy().selector().map(Selector::of), namespaces(set.namespaceSelector()),
                set.initContainers().stream().map(CompiledContainer::of).toList(),
                set.containers().stream().map(CompiledContainer::of).toList(), volumes, podNames(set), sidecarList(set), hotNames(set),
                new Derived());
    }

    /** The set after a change: when its spec is the same, so is all that was worked out of it. */
    CompiledSet with(SidecarSet changed) {
        return set.raw().path("spec").equals(changed.raw().path("spec"))
                ? new CompiledSet(changed, selector, namespaceSelector, rollout, namespaces, initContainers, containers, volumes, podNames,
                        sidecarList, hotNames, new Derived())
                : of(changed);
    }

    private static Set<String> podNames(SidecarSet set) {
        Set<String> names = new LinkedHashSet<>();
        set.containers().forEach(c -> names.addAll(c.podNames()));
        set.initContainers().forEach(c -> names.addAll(c.initPodNames()));
        return Collections.unmodifiableSet(names);
    }

    private static List<String> sidecarList(SidecarSet set) {
        return Stream.concat(set.containers().stream(), set.initContainers().stream().filter(SidecarContainer::isNative))
                .map(SidecarContainer::name).distinct().sorted(ByteOrder.UTF8).toList();
    }

    private static List<String> hotNames(SidecarSet set) {
        return Stream.concat(set.initContainers().stream().filter(c -> c.isHot() && c.isNative()),
                set.containers().stream().filter(SidecarContainer::isHot)).map(SidecarContainer::name).toList();
    }

    private static Optional<Set<String>> namespaces(Optional<LabelSelector> selector) {
        if (selector.isEmpty()) {
            return Optional.empty();
        }
        String byLabel = selector.get().matchLabels().get(Wire.NAMESPACE_NAME_LABEL);
        if (byLabel != null) {
            return Optional.of(Set.of(byLabel));
        }
        return selector.get().matchExpressions().stream()
                .filter(e -> e.key().equals(Wire.NAMESPACE_NAME_LABEL) && e.operator().equals("In")).findFirst()
                .map(e -> Set.copyOf(e.values()));
    }

    public String name() {
        return set.name();
    }

    /** Whether a pod of this namespace can match at all, as far as the index value tells. */
    public boolean isIndexedUnder(String namespace) {
        return namespaces.isEmpty() || namespaces.get().contains(namespace);
    }

    /** The pod's labels match; false for a set without selector or with a faulty one. */
    public boolean matchesLabels(Map<String, String> labels) {
        return selector.isPresent() && selector.get().matches(labels);
    }

    /** Whether the set takes pods of this namespace; a namespace selector takes none that does not exist (injection.md 4.4). */
    public boolean matchesNamespace(Optional<NamespaceView> namespace) {
        return namespaceSelector.isEmpty() || (namespace.isPresent() && namespaceSelector.get().matches(namespace.get().labels()));
    }
}

package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.UpdateStrategy;
import dev.pillion.match.PodState;
import dev.pillion.match.Selector;

/** Everything of one set version that judging its Pods needs, parsed once (rollout.md 17). Immutable. */
final class SetRules {
    /** A weight term with its selector compiled. */
    record Weight(int weight, Selector selector) {
    }

    private final SidecarSet set;
    private final RolloutOptions options;
    private final PodState state;
    private final Matching matching;
    private final List<String> names;
    private final boolean hot;
    private final Optional<Selector> updateSelector;
    private final List<Weight> weights;
    private final List<SidecarContainer> natives;

    SetRules(SidecarSet set, RolloutOptions options) {
        this.set = set;
        this.options = options;
        this.state = PodState.of(set, options.imageCompare());
        this.matching = Matching.of(set, state);
        this.names = state.podNames().stream().sorted(ByteOrder.UTF8).toList();
        this.hot = set.containers().stream().anyMatch(c -> c.isHot());
        UpdateStrategy strategy = set.updateStrategy();
        this.updateSelector = strategy.selector().map(Selector::of);
        List<Weight> compiled = new ArrayList<>();
        strategy.weights().forEach(w -> compiled.add(new Weight(w.weight(), Selector.of(w.selector()))));
        this.weights = List.copyOf(compiled);
        this.natives = set.initContainers().stream().filter(SidecarContainer::isNative).toList();
    }

    SidecarSet set() {
        return set;
    }

    RolloutOptions options() {
        return options;
    }

    PodState state() {
        return state;
    }

    /** Sidecar names in byte order. */
    List<String> names() {
        return names;
    }

    boolean isHot() {
        return hot;
    }

    List<Weight> weights() {
        return weights;
    }

    Optional<String> fault() {
        return matching.fault();
    }

    Matching.Fit fit(PodView pod, Map<String, Map<String, String>> namespaceLabels) {
        return matching.fit(pod, namespaceLabels);
    }

    /** Rule 5.2. */
    boolean selects(PodView pod) {
        return updateSelector.isEmpty() || updateSelector.get().matches(pod.labels());
    }

    /** Whether a native sidecar of the Pod has another image, which no upgrade can change (14.4; trap P). */
    boolean hasOtherNatives(PodView pod) {
        return natives.stream().anyMatch(n -> pod.initContainers().stream()
                .anyMatch(c -> c.name().equals(n.name()) && !c.image().equals(n.image())));
    }

    /** Rule 4.5; a former empty image counts as empty when faults are mended (trap B). */
    boolean isReady(PodView pod) {
        if (hot) {
            for (HotTwins twins : HotTwins.of(set, pod)) {
                if (!twins.emptyImage().isEmpty() && twins.isFlipDue(set, pod, options)) {
                    return false;
                }
            }
        }
        return isRunningAndReady(pod);
    }

    static boolean isRunningAndReady(PodView pod) {
        return pod.phase().equals("Running") && pod.isReady() && !pod.deleting();
    }

    /** Whether the condition says that the set can upgrade the Pod (rollout.md 8). */
    boolean isMarked(PodView pod) {
        return UpgradableMessage.says(set().name(), pod, UpgradableMessage.Upgradable.YES);
    }
}

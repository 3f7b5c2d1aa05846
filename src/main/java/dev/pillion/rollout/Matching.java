package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.ImageCompare;
import dev.pillion.match.PodState;
import dev.pillion.match.Selector;

/** Which Pods a set works on (rollout.md 2). Compiled once per set version. */
public final class Matching {
    private final String setName;
    private final Optional<Selector> selector;
    private final Optional<Selector> namespaceSelector;
    private final PodState state;

    private Matching(SidecarSet set, PodState state) {
        this.setName = set.name();
        this.selector = set.selector().map(Selector::of);
        this.namespaceSelector = set.namespaceSelector().map(Selector::of);
        this.state = state;
    }

    public static Matching of(SidecarSet set) {
        return new Matching(set, PodState.of(set, ImageCompare.LITERAL));
    }

    static Matching of(SidecarSet set, PodState state) {
        return new Matching(set, state);
    }

    /** What is wrong with one of the set's selectors; then it matches nothing, and the reconcile must fail. */
    public Optional<String> fault() {
        return selector.flatMap(Selector::fault).map(f -> "spec.selector: " + f)
                .or(() -> namespaceSelector.flatMap(Selector::fault).map(f -> "spec.namespaceSelector: " + f));
    }

    /**
     * Rules 2.1 to 2.4 for one Pod.
     *
     * @param namespaceLabels labels of all Namespaces in the view, by name
     */
    public boolean matches(PodView pod, Map<String, Map<String, String>> namespaceLabels) {
        if (selector.isEmpty() || !pod.isActive() || !pod.marks().injectedList().contains(setName)
                || !selector.get().matches(pod.labels())) {
            return false;
        }
        if (namespaceSelector.isPresent()) {
            Map<String, String> labels = namespaceLabels.get(pod.key().namespace());
            if (labels == null || !namespaceSelector.get().matches(labels)) {
                return false;
            }
        }
        return state.hasContainers(pod);
    }

    /** The matching Pods by namespace and name. */
    public List<PodView> of(Collection<PodView> pods, Map<String, Map<String, String>> namespaceLabels) {
        List<PodView> matching = new ArrayList<>();
        for (PodView pod : pods) {
            if (matches(pod, namespaceLabels)) {
                matching.add(pod);
            }
        }
        matching.sort((a, b) -> a.key().compareTo(b.key()));
        return matching;
    }
}

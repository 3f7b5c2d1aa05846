package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.PodKey;
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

    /** What a Pod is to a set. */
    enum Fit {
        /** It matches by the rules 2.1 to 2.4. */
        MATCHES,
        /** All but 2.4: it carries other containers than the set now has. */
        OTHER_CONTAINERS, NONE
    }

    /**
     * The Pods of a list that concern a set.
     *
     * @param matching by namespace and name
     * @param otherContainers those that match but for their containers, in the same order
     */
    public record Found(List<PodView> matching, List<PodKey> otherContainers) {
        public Found {
            matching = List.copyOf(matching);
            otherContainers = List.copyOf(otherContainers);
        }
    }

    /**
     * Rules 2.1 to 2.4 for one Pod.
     *
     * @param namespaceLabels labels of all Namespaces in the view, by name
     */
    public boolean matches(PodView pod, Map<String, Map<String, String>> namespaceLabels) {
        return fit(pod, namespaceLabels) == Fit.MATCHES;
    }

    Fit fit(PodView pod, Map<String, Map<String, String>> namespaceLabels) {
        if (selector.isEmpty() || !pod.isActive() || !pod.marks().injectedList().contains(setName)
                || !selector.get().matches(pod.labels())) {
            return Fit.NONE;
        }
        if (namespaceSelector.isPresent()) {
            Map<String, String> labels = namespaceLabels.get(pod.key().namespace());
            if (labels == null || !namespaceSelector.get().matches(labels)) {
                return Fit.NONE;
            }
        }
        return state.hasContainers(pod) ? Fit.MATCHES : Fit.OTHER_CONTAINERS;
    }

    public Found find(Collection<PodView> pods, Map<String, Map<String, String>> namespaceLabels) {
        List<PodView> matching = new ArrayList<>();
        List<PodKey> otherContainers = new ArrayList<>();
        for (PodView pod : pods) {
            switch (fit(pod, namespaceLabels)) {
                case MATCHES -> matching.add(pod);
                case OTHER_CONTAINERS -> otherContainers.add(pod.key());
                case NONE -> {
                }
            }
        }
        matching.sort(Comparator.comparing(PodView::key));
        otherContainers.sort(Comparator.naturalOrder());
        return new Found(matching, otherContainers);
    }
}

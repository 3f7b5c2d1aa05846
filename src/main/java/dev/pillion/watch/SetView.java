package dev.pillion.watch;

import java.util.Optional;

import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.ContainerStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.match.ImageCompare;
import dev.pillion.match.PodState;
import dev.pillion.match.Selector;

/** What one set sees of a Pod, as far as events go. Made once per version of the set. */
final class SetView {
    private final SidecarSet set;
    private final PodState state;
    private final Optional<Selector> selector;

    SetView(SidecarSet set, ImageCompare images) {
        this.set = set;
        this.state = PodState.of(set, images);
        this.selector = set.selector().map(Selector::of);
    }

    SidecarSet set() {
        return set;
    }

    boolean hasContainers(PodView pod) {
        return state.hasContainers(pod);
    }

    boolean isConsistent(PodView pod) {
        return state.isConsistent(pod);
    }

    boolean selects(PodView pod) {
        return selector.isPresent() && selector.get().matches(pod.labels());
    }

    boolean isNamedBy(PodView pod) {
        return pod.marks().injectedList().contains(set.name());
    }

    /** Hash and revision the Pod records for the set; both count for the status or for truncation. */
    Optional<HashEntry> recorded(PodView pod) {
        return pod.marks().hash(set.name());
    }

    /** Whether the readiness of one of the set's containers differs: it can block an upgrade (rollout.md 5.4) or a flip (10.4). */
    boolean differInContainers(PodView a, PodView b) {
        for (String name : state.podNames()) {
            if (isReady(a, name) != isReady(b, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isReady(PodView pod, String name) {
        return PodState.status(pod, name).filter(ContainerStatus::ready).isPresent();
    }
}

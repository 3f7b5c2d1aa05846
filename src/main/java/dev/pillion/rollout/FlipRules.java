package dev.pillion.rollout;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.pillion.api.PodView;

/** When idle twins are set to the empty image (rollout.md 10.4). */
final class FlipRules {
    private FlipRules() {
    }

    /**
     * All of:
     * <ol>
     * <li>some idle twin has another image than the empty one;
     * <li>the Pod is consistent for all sidecar names but the idle twins;
     * <li>it is running and ready, or at least every container other than the idle twins is ready.
     * </ol>
     */
    static boolean isDue(SetRules rules, PodView pod) {
        if (!rules.isHot()) {
            return false;
        }
        List<HotTwins> twins = HotTwins.of(rules.set(), pod);
        return twins.stream().anyMatch(t -> t.isFlipDue(rules.set(), pod, rules.options())) && isWorkConsistent(rules, pod, twins)
                && isWorkReady(pod, twins);
    }

    static boolean isWorkConsistent(SetRules rules, PodView pod, List<HotTwins> twins) {
        Set<String> names = new HashSet<>(rules.names());
        twins.forEach(t -> names.remove(t.idle()));
        return rules.state().isConsistent(pod, names);
    }

    static boolean isWorkReady(PodView pod, List<HotTwins> twins) {
        if (SetRules.isRunningAndReady(pod)) {
            return true;
        }
        return pod.statuses().stream().allMatch(s -> s.ready() || twins.stream().anyMatch(t -> t.idle().equals(s.name())));
    }
}

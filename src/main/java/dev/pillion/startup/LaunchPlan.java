package dev.pillion.startup;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.pillion.api.PodStartup.Barrier;
import dev.pillion.api.PodStartup.Launch;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.ContainerStatus;
import dev.pillion.kube.BarrierMap;

/**
 * Which barriers of one Pod may be open, and what its ConfigMap lacks (neighbours.md 1.4).
 * <ol>
 * <li>The containers that are not ready: the greatest number among them is the next one.
 * <li>Due are all keys from the next number up: a key that somebody removed comes back. With no container unready, or after completion, all
 * are due.
 * <li>The ConfigMap: none yet, create it. A predecessor's, delete it (trap 2). Without owner and holding nothing but barriers, adopt it;
 * any other without the Pod as owner is filled and left as it is.
 * <li>Keys that are due and absent are added.
 * <li>Only when every key of the Pod is there, it is completed (trap 3).
 * </ol>
 *
 * @param due keys that must be there now
 * @param all keys of all barriers
 * @param blockers unready containers that the held ones wait for
 * @param held containers whose key is not due
 */
record LaunchPlan(PodView pod, Launch launch, Set<String> due, Set<String> all, List<String> blockers, List<String> held) {
    private static final String POD = "Pod";

    /** The one next thing to do. */
    sealed interface Step {
        record Create(Set<String> keys) implements Step {
        }

        record Delete(BarrierMap map) implements Step {
        }

        record Adopt(BarrierMap map, Set<String> keys) implements Step {
        }

        record Add(BarrierMap map, Set<String> keys) implements Step {
        }

        record Complete() implements Step {
        }

        /** Nothing can be done before a container becomes ready. */
        record Await() implements Step {
        }

        /** All keys are there and the Pod says so. */
        record Done() implements Step {
        }

        /** The ConfigMap is about to vanish; a key written into it would too. */
        record Vanishing() implements Step {
        }
    }

    LaunchPlan {
        due = Set.copyOf(due);
        all = Set.copyOf(all);
        blockers = List.copyOf(blockers);
        held = List.copyOf(held);
    }

    static LaunchPlan of(PodView pod, Launch launch) {
        Set<String> ready = pod.statuses().stream().filter(ContainerStatus::ready).map(ContainerStatus::name).collect(Collectors.toSet());
        List<Barrier> waiting = launch.barriers().stream().filter(b -> !ready.contains(b.container())).toList();
        long next = launch.completed() ? Long.MIN_VALUE : waiting.stream().mapToLong(Barrier::number).max().orElse(Long.MIN_VALUE);
        return new LaunchPlan(pod, launch, keys(launch.barriers().stream().filter(b -> b.number() >= next).toList()),
                keys(launch.barriers()), names(waiting.stream().filter(b -> b.number() == next).toList()),
                names(launch.barriers().stream().filter(b -> b.number() < next).toList()));
    }

    private static Set<String> keys(List<Barrier> barriers) {
        return barriers.stream().map(Barrier::key).collect(Collectors.toSet());
    }

    private static List<String> names(List<Barrier> barriers) {
        return barriers.stream().map(Barrier::container).toList();
    }

    /** @param map the Pod's ConfigMap as it is */
    Step next(Optional<BarrierMap> map) {
        return map.map(this::next).orElseGet(() -> new Step.Create(due));
    }

    private Step next(BarrierMap map) {
        boolean own = map.owners().stream().anyMatch(o -> o.uid().equals(pod.uid()));
        if (!own && !map.owners().isEmpty() && map.owners().stream().allMatch(o -> o.kind().equals(POD))) {
            return new Step.Delete(map);
        }
        if (map.deleting()) {
            return new Step.Vanishing();
        }
        Set<String> lacking = new TreeSet<>(due);
        lacking.removeAll(map.keys());
        if (map.owners().isEmpty() && map.keys().stream().allMatch(k -> Barrier.of("", k).isPresent())) {
            return new Step.Adopt(map, lacking);
        }
        if (!lacking.isEmpty()) {
            return new Step.Add(map, lacking);
        }
        if (!map.keys().containsAll(all)) {
            return new Step.Await();
        }
        return launch.completed() ? new Step.Done() : new Step.Complete();
    }

    /** Whether a container does not find its key, which should be there. */
    boolean missesKey() {
        return launch.barriers().stream().anyMatch(b -> due.contains(b.key()) && launch.unconfigured().contains(b.container()));
    }

    /** Containers that have ended although others wait for them: they can never become ready (trap 9). */
    Set<String> endedBlockers() {
        Set<String> ended = new HashSet<>(blockers);
        ended.retainAll(launch.ended());
        return ended;
    }
}

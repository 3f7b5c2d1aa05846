package dev.pillion.rollout;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.ContainerStatus;
import dev.pillion.api.PodView.ReadyCondition;

/**
 * The place of a waiting Pod, precomputed (rollout.md 6.1, 6.2). Smaller is upgraded earlier:
 * <ol>
 * <li>the higher sum of weights; or the lower level, then the higher number of its ordered key;
 * <li>not assigned to a node; lower phase rank; not ready; not ready long (a missing time first);
 * <li>more restarts of a container, then of a native sidecar;
 * <li>younger (a missing creation time first);
 * <li>namespace and name, where the reference leaves the order open.
 * </ol>
 */
record UpgradeOrder(long weight, int level, long number, boolean unassigned, int phase, boolean ready, Optional<Instant> readySince,
        int restarts, int nativeRestarts, Optional<Instant> created, PodKey key) implements Comparable<UpgradeOrder> {

    private static final Comparator<Optional<Instant>> MISSING_THEN_LATER = (a, b) -> {
        if (a.isEmpty() || b.isEmpty()) {
            return Boolean.compare(a.isPresent(), b.isPresent());
        }
        return b.get().compareTo(a.get());
    };

    private static final Comparator<UpgradeOrder> PRIORITY = Comparator.comparingLong(UpgradeOrder::weight).reversed()
            .thenComparingInt(UpgradeOrder::level).thenComparing(Comparator.comparingLong(UpgradeOrder::number).reversed());

    private static final Comparator<UpgradeOrder> ORDER = PRIORITY
            .thenComparing(o -> !o.unassigned).thenComparingInt(UpgradeOrder::phase).thenComparing(UpgradeOrder::ready)
            .thenComparing(UpgradeOrder::readySince, MISSING_THEN_LATER)
            .thenComparing(Comparator.comparingInt(UpgradeOrder::restarts).reversed())
            .thenComparing(Comparator.comparingInt(UpgradeOrder::nativeRestarts).reversed())
            .thenComparing(UpgradeOrder::created, MISSING_THEN_LATER).thenComparing(UpgradeOrder::key);

    @Override
    public int compareTo(UpgradeOrder other) {
        return ORDER.compare(this, other);
    }

    /** Only the priority part; Pods with equal priority keep their order under a stable sort. */
    static int comparePriority(UpgradeOrder a, UpgradeOrder b) {
        return PRIORITY.compare(a, b);
    }

    /** Weight terms win over order terms when both are given. */
    static UpgradeOrder of(PodView pod, List<SetRules.Weight> weights, List<String> orderedKeys) {
        long weight = 0;
        int level = 0;
        long number = 0;
        if (!weights.isEmpty()) {
            for (SetRules.Weight term : weights) {
                weight += term.selector().matches(pod.labels()) ? term.weight() : 0;
            }
        } else if (!orderedKeys.isEmpty()) {
            level = level(pod.labels(), orderedKeys);
            number = level < 0 ? 0 : trailingNumber(pod.labels().getOrDefault(orderedKeys.get(level), ""));
        }
        boolean ready = pod.isReady();
        return new UpgradeOrder(weight, level, number, pod.nodeName().isEmpty(), phaseRank(pod.phase()), ready,
                ready ? pod.ready().flatMap(ReadyCondition::lastTransition) : Optional.empty(), mostRestarts(pod.statuses()),
                mostNativeRestarts(pod), pod.created(), pod.key());
    }

    /** Compatible: a Pod with none of the keys has level -1 and goes first (trap f). */
    private static int level(Map<String, String> labels, List<String> keys) {
        for (int i = 0; i < keys.size(); i++) {
            if (labels.containsKey(keys.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static long trailingNumber(String value) {
        int start = value.length();
        while (start > 0 && value.charAt(start - 1) >= '0' && value.charAt(start - 1) <= '9') {
            start--;
        }
        try {
            return start == value.length() ? 0 : Long.parseLong(value.substring(start));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static int phaseRank(String phase) {
        return switch (phase) {
            case "Unknown" -> 1;
            case "Running" -> 2;
            default -> 0;
        };
    }

    private static int mostRestarts(List<ContainerStatus> statuses) {
        int highest = 0;
        for (ContainerStatus status : statuses) {
            highest = Math.max(highest, status.restartCount());
        }
        return highest;
    }

    private static int mostNativeRestarts(PodView pod) {
        if (pod.initStatuses().isEmpty()) {
            return 0;
        }
        Set<String> natives = pod.initContainers().stream().filter(c -> c.restartPolicy().equals("Always")).map(PodView.Container::name)
                .collect(Collectors.toSet());
        return mostRestarts(pod.initStatuses().stream().filter(s -> natives.contains(s.name())).toList());
    }
}

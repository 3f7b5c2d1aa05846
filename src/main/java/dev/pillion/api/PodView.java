package dev.pillion.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What decisions read of a Pod; full Pods are never kept (design.md 3).
 *
 * @param resourceVersion opaque text, compared as an unsigned 64-bit number only to keep older events from overwriting newer views
 * @param phase as reported, "" when absent
 * @param ready the first condition of type Ready, if any
 * @param upgradable the condition SidecarSetUpgradable, if any
 * @param startup what is left to do until the Pod has started and may be ready
 */
public record PodView(PodKey key, String uid, String resourceVersion, Map<String, String> labels, String nodeName, String phase,
        boolean deleting,
        Optional<Instant> created, Optional<ReadyCondition> ready, List<Container> initContainers, List<Container> containers,
        List<ContainerStatus> initStatuses, List<ContainerStatus> statuses, Optional<UpgradableCondition> upgradable, PodMarks marks,
        PodStartup startup) {

    /** A container of the spec. restartPolicy is "" for regular ones. */
    public record Container(String name, String image, String restartPolicy) {
    }

    public record ContainerStatus(String name, String image, String imageId, boolean ready, int restartCount) {
    }

    public record ReadyCondition(boolean isTrue, Optional<Instant> lastTransition) {
    }

    /** lastTransition and lastProbe are the texts as stored, "" when absent, to be written back unchanged. */
    public record UpgradableCondition(String status, String reason, String message, String lastTransition, String lastProbe) {
    }

    public PodView {
        labels = Map.copyOf(labels);
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
        initStatuses = List.copyOf(initStatuses);
        statuses = List.copyOf(statuses);
    }

    /**
     * The same view, with the parts of another of the same Pod wherever they are equal. Most changes leave most of a Pod alone, and what is
     * shared with the view so far need not be kept anew.
     */
    public PodView sharing(PodView before) {
        return new PodView(same(key, before.key), same(uid, before.uid), resourceVersion, same(labels, before.labels), nodeName, phase,
                deleting, same(created, before.created), same(ready, before.ready), initContainers, containers, initStatuses, statuses,
                same(upgradable, before.upgradable), marks, same(startup, before.startup));
    }

    private static <T> T same(T mine, T before) {
        return mine.equals(before) ? before : mine;
    }

    public boolean isReady() {
        return ready.isPresent() && ready.get().isTrue();
    }

    /** Whether the Pod still counts: neither finished nor being deleted (rollout.md 2.3). */
    public boolean isActive() {
        return !deleting && !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    /** Whether this view is of a later moment than the other of the same Pod; unreadable versions count as newer than nothing (events.md 5.2). */
    public boolean isNewerThan(PodView other) {
        return number(resourceVersion) > number(other.resourceVersion);
    }

    private static long number(String version) {
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

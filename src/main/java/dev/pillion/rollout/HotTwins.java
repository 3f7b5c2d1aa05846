package dev.pillion.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.Container;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

/**
 * The two containers of one hot sidecar in one Pod (rollout.md 10.1).
 *
 * @param name base name
 * @param idle the twin that does not work
 * @param emptyImage hotUpgradeEmptyImage of the set
 */
record HotTwins(String name, String working, String idle, String emptyImage) {

    static List<HotTwins> of(SidecarSet set, PodView pod) {
        List<HotTwins> twins = new ArrayList<>();
        for (SidecarContainer container : set.containers()) {
            if (container.isHot()) {
                twins.add(of(container, pod.marks().working()));
            }
        }
        return twins;
    }

    static HotTwins of(SidecarContainer container, Map<String, String> working) {
        String first = container.name() + "-1";
        String second = container.name() + "-2";
        return first.equals(working.get(container.name()))
                ? new HotTwins(container.name(), first, second, container.hotUpgradeEmptyImage())
                : new HotTwins(container.name(), second, first, container.hotUpgradeEmptyImage());
    }

    String first() {
        return name + "-1";
    }

    String second() {
        return name + "-2";
    }

    /** Whether the idle twin has an image other than the empty one. */
    boolean isIdleFilled(PodView pod) {
        return pod.containers().stream().anyMatch(c -> c.name().equals(idle) && !c.image().equals(emptyImage));
    }

    /**
     * Whether the idle twin holds a former empty image (trap B): no upgrade left it, since injection and flip write version 0 and an
     * upgrade never does, and the Pod was injected before hotUpgradeEmptyImage changed, which changes the hash without images.
     */
    boolean isFormerEmpty(SidecarSet set, PodView pod) {
        HashEntry injected = pod.marks().withoutImage().get(set.name());
        return "0".equals(pod.marks().raw().text(Wire.VERSION_PREFIX + idle)) && injected != null
                && !injected.hash().equals(set.hashWithoutImage());
    }

    /** Whether the idle twin waits for the empty image. */
    boolean isFlipDue(SidecarSet set, PodView pod, RolloutOptions options) {
        return isIdleFilled(pod) && !(options.fixesFaults() && isFormerEmpty(set, pod));
    }

    static String image(PodView pod, String name) {
        for (Container container : pod.containers()) {
            if (container.name().equals(name)) {
                return container.image();
            }
        }
        return "";
    }
}

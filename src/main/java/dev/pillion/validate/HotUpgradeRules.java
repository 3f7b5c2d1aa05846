package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.validate.Fault.Kind;

/**
 * Hot-upgrade containers, native sidecars among them: an empty image, and twins with names that nobody else has (validation.md traps 14,
 * 15).
 */
final class HotUpgradeRules {
    private static final int MAX_NAME = 63;

    private HotUpgradeRules() {
    }

    /** Equal faults of the set before an update are no reason to refuse it. */
    static List<Fault> check(SidecarSet set) {
        Map<String, Integer> names = new HashMap<>();
        set.initContainers().forEach(c -> c.initPodNames().forEach(n -> names.merge(n, 1, Integer::sum)));
        set.containers().forEach(c -> c.podNames().forEach(n -> names.merge(n, 1, Integer::sum)));
        List<Fault> faults = new ArrayList<>();
        set.containers().stream().filter(SidecarContainer::isHot).forEach(c -> check(c, "spec.containers", names, faults));
        set.initContainers().stream().filter(c -> c.isHot() && c.isNative())
                .forEach(c -> check(c, "spec.initContainers", names, faults));
        return faults;
    }

    private static void check(SidecarContainer container, String list, Map<String, Integer> names, List<Fault> faults) {
        String name = Faults.quoted(container.name());
        if (container.hotUpgradeEmptyImage().isEmpty()) {
            faults.add(new Fault(Kind.REQUIRED, list + ".upgradeStrategy.hotUpgradeEmptyImage",
                    "container " + name + " with HotUpgrade needs an image for its idle twin"));
        }
        if (Formats.hasOuterSpace(container.hotUpgradeEmptyImage())) {
            faults.add(new Fault(Kind.INVALID, list + ".upgradeStrategy.hotUpgradeEmptyImage",
                    "container " + name + ": the image of the idle twin must not begin or end with white space"));
        }
        for (String twin : container.podNames()) {
            if (names.getOrDefault(twin, 0) > 1) {
                faults.add(new Fault(Kind.DUPLICATE, list + ".name", "container " + name + " with HotUpgrade becomes "
                        + Faults.quoted(twin) + " in pods, a name that another container has: rename one of them"));
            }
        }
        if (Formats.length(container.podNames().getFirst()) > MAX_NAME && Formats.length(container.name()) <= MAX_NAME) {
            faults.add(new Fault(Kind.TOO_LONG, list + ".name", "container " + name
                    + " with HotUpgrade gets a suffix in pods: give it at most " + (MAX_NAME - 2) + " characters"));
        }
    }
}

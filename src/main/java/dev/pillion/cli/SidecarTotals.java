package dev.pillion.cli;

import java.util.List;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.AddedResources;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the sidecars of a set add to the resources of each new Pod (FR-19); plain init containers end and are not counted. */
final class SidecarTotals {
    private SidecarTotals() {
    }

    /** As {@link AddedResources#sentence()}, such as {@code requests cpu 100m, memory 64Mi; no limits}. */
    static String text(SidecarSet set) {
        List<SidecarContainer> natives = set.initContainers().stream().filter(SidecarContainer::isNative).toList();
        ObjectNode with = Json.object();
        ObjectNode spec = with.putObject("spec");
        add(spec.putArray("initContainers"), natives);
        add(spec.putArray("containers"), set.containers());
        boolean computed = Stream.concat(natives.stream(), set.containers().stream()).anyMatch(SidecarTotals::isComputed);
        return AddedResources.between(Json.object(), with).sentence()
                + (computed ? "; some are computed from the containers of each pod and come on top" : "");
    }

    private static boolean isComputed(SidecarContainer container) {
        return container.raw().path("resourcesPolicy").isObject();
    }

    /** Both twins of a hot upgrade hold what the container asks for (injection.md trap 16). */
    private static void add(ArrayNode list, List<SidecarContainer> containers) {
        for (SidecarContainer container : containers) {
            for (String name : isComputed(container) ? List.<String>of() : container.podNames()) {
                ObjectNode added = list.addObject().put("name", name);
                if (container.isNative()) {
                    added.put("restartPolicy", "Always");
                }
                added.set("resources", container.raw().path("resources"));
            }
        }
    }
}

package dev.pillion.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.expr.Quantity;

/** What the sidecars of a set add to the resources of each new Pod (FR-19); plain init containers end and are not counted. */
final class SidecarTotals {
    private SidecarTotals() {
    }

    /** Such as {@code requests cpu 100m, memory 64Mi; limits none}. */
    static String text(SidecarSet set) {
        List<SidecarContainer> running = Stream
                .concat(set.containers().stream(), set.initContainers().stream().filter(SidecarContainer::isNative)).toList();
        boolean computed = running.stream().anyMatch(c -> c.raw().path("resourcesPolicy").isObject());
        return sum(running, "requests") + "; " + sum(running, "limits")
                + (computed ? "; some are computed from the containers of each pod and come on top" : "");
    }

    private static String sum(List<SidecarContainer> containers, String kind) {
        List<String> parts = new ArrayList<>();
        for (String resource : List.of("cpu", "memory")) {
            Optional<Quantity> total = Optional.empty();
            for (SidecarContainer container : containers) {
                Optional<Quantity> one = Quantity
                        .parse(container.raw().path("resources").path(kind).path(resource).asString(""));
                // Both twins of a hot upgrade hold what the container asks for (injection.md trap 16).
                for (int i = 0; one.isPresent() && i < container.podNames().size(); i++) {
                    total = Optional.of(total.map(one.get()::plus).orElse(one.get()));
                }
            }
            total.ifPresent(t -> parts.add(resource + " " + t));
        }
        return kind + " " + (parts.isEmpty() ? "none" : String.join(", ", parts));
    }
}

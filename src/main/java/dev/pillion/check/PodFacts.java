package dev.pillion.check;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodMarks;
import dev.pillion.api.PodStartup;
import dev.pillion.api.PodView;
import dev.pillion.api.Wire;
import dev.pillion.podmeta.PodViews;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is judged of one Pod. Values of its environment are not in it.
 *
 * @param barriers whether a container waits for a launch barrier, or has waited
 * @param terminators names of environment variables by which OpenKruise ends sidecars of Jobs
 * @param enhancedLiveness whether it asks for liveness probes to be taken away, or has lost them so
 */
public record PodFacts(PodKey key, Optional<Instant> created, PodMarks marks, PodStartup startup, boolean barriers, boolean completed,
        Set<String> terminators, boolean enhancedLiveness) {
    private static final String LIVENESS = "apps.kruise.io/using-enhanced-liveness";
    private static final String LOST_PROBES = "apps.kruise.io/container-probe-context";
    private static final String TERMINATOR = "KRUISE_TERMINATE_SIDECAR_";
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    public PodFacts {
        terminators = Set.copyOf(terminators);
    }

    /** Empty for Pods that nothing can be said about: ended ones, and those without any trace of OpenKruise's or our work. */
    public static Optional<PodFacts> of(ObjectNode raw) {
        PodView pod = PodViews.of(raw);
        JsonNode annotations = raw.path("metadata").path("annotations");
        boolean liveness = Json.text(annotations, LIVENESS).equals("true") || annotations.has(LOST_PROBES);
        Set<String> terminators = terminators(raw.path("spec"));
        boolean barriers = containers(raw.path("spec")).flatMap(c -> c.path("env").valueStream())
                .anyMatch(e -> Json.text(e, "name").equals(Wire.LAUNCH_BARRIER)
                        && e.path("valueFrom").path("configMapKeyRef").isObject());
        boolean plain = pod.marks().raw().isEmpty() && pod.startup().equals(PodStartup.NONE) && !liveness && !barriers
                && terminators.isEmpty();
        return plain || ENDED.contains(pod.phase())
                ? Optional.empty()
                : Optional.of(new PodFacts(pod.key(), pod.created(), pod.marks(), pod.startup(), barriers,
                        Json.text(annotations, Wire.LAUNCH_COMPLETED).equals("true"), terminators, liveness));
    }

    /** Names of the variables by which the containers of a Pod's or a set's spec ask to be ended. */
    static Set<String> terminators(JsonNode spec) {
        Set<String> names = new TreeSet<>();
        containers(spec).flatMap(c -> c.path("env").valueStream()).map(e -> Json.text(e, "name")).filter(n -> n.startsWith(TERMINATOR))
                .forEach(names::add);
        return names;
    }

    private static Stream<JsonNode> containers(JsonNode spec) {
        return spec.path("containers").valueStream();
    }
}

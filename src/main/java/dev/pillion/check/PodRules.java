package dev.pillion.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.pillion.api.ByteOrder;
import dev.pillion.api.Json;
import dev.pillion.api.PodMarks;
import dev.pillion.api.PodStartup.ReadyGate;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.check.CheckOptions.Served;
import dev.pillion.podmeta.HashAnnotation;

import tools.jackson.databind.JsonNode;

/** What Pods carry, and what they wait for. */
final class PodRules {
    /** Until then a controller may just not have come to it. */
    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final String KIND = "Pod";
    private static final String NEW = "create the pods anew";

    private record Told(Rule rule, String what, String wayOut) {
    }

    private final ClusterFacts facts;
    private final CheckOptions options;
    private final Groups<Told> groups = new Groups<>();

    private PodRules(ClusterFacts facts, CheckOptions options) {
        this.facts = facts;
        this.options = options;
    }

    static List<Finding> judge(ClusterFacts facts, CheckOptions options) {
        PodRules rules = new PodRules(facts, options);
        Optional<Set<String>> sets = facts.contents().sets().map(s -> s.stream().map(SidecarSet::name).collect(Collectors.toSet()));
        for (PodFacts pod : facts.contents().pods().orElse(List.of())) {
            sets.ifPresent(known -> rules.gone(pod, known));
            rules.marks(pod);
            rules.gate(pod);
            rules.barriers(pod);
            rules.neighbours(pod);
        }
        List<Finding> found = new ArrayList<>();
        rules.groups.forEach((told, pods) -> found.add(new Finding(told.rule(), KIND, pods, told.what(), told.wayOut())));
        return found;
    }

    private void gone(PodFacts pod, Set<String> known) {
        Set<String> named = new TreeSet<>(ByteOrder.UTF8);
        named.addAll(pod.marks().injectedList());
        named.addAll(pod.marks().hashes().keySet());
        named.remove("");
        named.removeAll(known);
        named.forEach(name -> tell(pod, Rule.SET_GONE,
                "carries the sidecars of SidecarSet " + name + ", which does not exist: nobody updates them",
                NEW + ", or apply the SidecarSet again"));
    }

    private void marks(PodFacts pod) {
        for (String key : List.of(Wire.HASH, Wire.HASH_WITHOUT_IMAGE)) {
            switch (HashAnnotation.of(pod.marks().raw().text(key)).form()) {
                case DAMAGED, MIXED, NULL -> tell(pod, Rule.HASH_UNREADABLE, "annotation " + key
                        + " cannot be read: the pod counts as not updated, and no roll-out updates it in place", NEW);
                case OLD -> tell(pod, Rule.HASH_OLD_FORM, "annotation " + key + " has the form of early versions",
                        "nothing is needed: it is read, and written anew with the next update");
                case ABSENT, PRESENT -> {
                }
            }
        }
        if (pod.marks().inPlace() instanceof PodMarks.InPlace.Unreadable) {
            tell(pod, Rule.STATE_UNREADABLE,
                    "annotation " + Wire.IN_PLACE_STATE + " cannot be read: an update of the pod never counts as done",
                    "remove the annotation, or " + NEW);
        }
    }

    private void gate(PodFacts pod) {
        switch (pod.startup().gate()) {
            case ReadyGate.Settled _ -> {
            }
            case ReadyGate.Unset _ when options.gate() == Served.NO -> tell(pod, Rule.GATE_UNSERVED,
                    "has the readiness gate " + Wire.READY_GATE
                            + " and no such condition, and injection.readiness-gate is off: it never becomes ready",
                    "set injection.readiness-gate to \"owned\" or \"all\"");
            case ReadyGate.Unset _ when isFresh(pod) -> {
            }
            case ReadyGate.Unset _ -> tell(pod, Rule.GATE_WAITING,
                    "has the readiness gate " + Wire.READY_GATE + " and no such condition yet", "look whether a controller holds the Lease "
                            + CheckOptions.SLOT + "0, and at its log");
            case ReadyGate.Closed(_, String message) -> tell(pod, Rule.GATE_HELD, "is held back by " + writers(message)
                    + ": its condition " + Wire.READY_GATE + " is not True",
                    "let that end before the manager that wrote it is stopped; Pillion never changes a condition that is there");
        }
    }

    /** Who holds it back: writer and key of each entry (neighbours.md 2.3). */
    private static String writers(String message) {
        List<String> writers = new ArrayList<>();
        for (JsonNode entry : Json.tryRead(message).filter(JsonNode::isArray).orElse(Json.NODES.arrayNode())) {
            writers.add(Json.text(entry, "userAgent") + " \"" + Json.text(entry, "key") + "\"");
        }
        return writers.isEmpty() ? "nobody by name" : String.join(", ", writers);
    }

    private void barriers(PodFacts pod) {
        if (!pod.barriers() || isFresh(pod)) {
            return;
        }
        if (!pod.completed() && options.launchPriority() == Served.NO) {
            tell(pod, Rule.BARRIER_UNSERVED,
                    "has launch barriers that are not all released, and injection.launch-priority is off: its containers wait for ever",
                    "set injection.launch-priority to true");
        } else if (!pod.completed()) {
            tell(pod, Rule.BARRIER_OPEN, "has launch barriers that are not all released",
                    "look at the containers that start first, they must be ready; and whether a controller runs");
        }
        if (Optional.ofNullable(facts.contents().barriers().get(pod.key())).flatMap(k -> k.map(exists -> !exists)).orElse(false)) {
            tell(pod, Rule.BARRIER_MISSING,
                    "has launch barriers, and its ConfigMap (<pod>-barrier) is missing: a container that starts waits for it",
                    "a controller with injection.launch-priority makes it again when a container misses its key");
        }
    }

    private void neighbours(PodFacts pod) {
        if (!pod.terminators().isEmpty()) {
            tell(pod, Rule.TERMINATOR, "has " + names(pod.terminators()) + ": sidecars that only OpenKruise's manager and daemon end",
                    ContentRules.NATIVE);
        }
        if (pod.enhancedLiveness()) {
            tell(pod, Rule.ENHANCED_LIVENESS,
                    "has the enhanced liveness probe of OpenKruise, by annotation: liveness probes were taken away from it",
                    "know that pods created under Pillion keep their probes, so the kubelet restarts their containers");
        }
    }

    static String names(Set<String> names) {
        return String.join(", ", new TreeSet<>(names));
    }

    private boolean isFresh(PodFacts pod) {
        return pod.created().filter(c -> c.plus(FRESH).isAfter(options.now())).isPresent();
    }

    private void tell(PodFacts pod, Rule rule, String what, String wayOut) {
        groups.add(new Told(rule, what, wayOut), pod.key().toString());
    }
}

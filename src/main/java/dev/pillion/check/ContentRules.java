package dev.pillion.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.pillion.api.InjectionStrategy.Pin;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;

/** SidecarSets, and objects of OpenKruise's other kinds. */
final class ContentRules {
    /** The way out for sidecars of Jobs. */
    static final String NATIVE = "make them native sidecars (initContainers with restartPolicy Always), or keep OpenKruise's manager and daemon for them";
    private static final String KIND = "SidecarSet";

    private ContentRules() {
    }

    static List<Finding> judge(ClusterFacts facts) {
        List<Finding> found = new ArrayList<>();
        for (SidecarSet set : facts.contents().sets().orElse(List.of())) {
            facts.contents().revisions().map(revisions -> found.addAll(pin(set, revisions)));
            set(set, found);
        }
        Map<OtherKind, Known<List<String>>> others = new TreeMap<>(facts.contents().others());
        others.forEach((kind, known) -> known.map(names -> names.isEmpty() || found.add(
                new Finding(kind.rule(), kind.kind() + "." + kind.group(), names, kind.what(), kind.wayOut()))));
        return found;
    }

    private static void set(SidecarSet set, List<Finding> found) {
        if (set.status().observedGeneration() < set.generation()) {
            found.add(Finding.of(Rule.SET_NOT_OBSERVED, KIND, set.name(), "no controller has looked at its present version",
                    "look whether a controller runs; \"pillion status\" shows where sets stand"));
        }
        List<String> natives = set.initContainers().stream().filter(SidecarContainer::isNative).map(SidecarContainer::name).toList();
        if (!natives.isEmpty() && !set.updateStrategy().isNotUpdate()) {
            found.add(Finding.of(Rule.NATIVE_ROLLING, KIND, set.name(), "has native sidecars (" + String.join(", ", natives)
                    + ") and updateStrategy RollingUpdate: running pods with another image of theirs are never updated",
                    "set updateStrategy.type to NotUpdate; new pods get the new version"));
        }
        Set<String> terminators = PodFacts.terminators(set.raw().path("spec"));
        if (!terminators.isEmpty()) {
            found.add(Finding.of(Rule.TERMINATOR, KIND, set.name(), "gives its containers " + PodRules.names(terminators)
                    + ": only OpenKruise's manager and daemon end such sidecars", NATIVE));
        }
    }

    private static List<Finding> pin(SidecarSet set, List<Revision> revisions) {
        Optional<Pin> pin = set.injectionStrategy().pin();
        List<Revision> own = revisions.stream().filter(r -> set.name().equals(r.labels().get(Wire.SET_NAME_LABEL))).toList();
        Optional<String> lost = pin.flatMap(Pin::revisionName).filter(name -> own.stream().noneMatch(r -> r.name().equals(name)))
                .map(name -> "revision " + name)
                .or(() -> pin.filter(p -> p.revisionName().isEmpty()).flatMap(Pin::customVersion).filter(
                        v -> own.stream().noneMatch(r -> v.equals(r.labels().get(Wire.CUSTOM_VERSION_LABEL))))
                        .map(v -> "custom version " + v));
        return lost.map(what -> List.of(Finding.of(Rule.REVISION_MISSING, KIND, set.name(),
                "injects " + what + " (spec.injectionStrategy.revision), which does not exist: every new Pod that it matches is refused",
                "name one that \"pillion history " + set.name() + "\" shows, or remove spec.injectionStrategy.revision")))
                .orElse(List.of());
    }
}

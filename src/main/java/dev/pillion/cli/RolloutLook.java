package dev.pillion.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.kube.ClusterReads;
import dev.pillion.match.CompiledSet;
import dev.pillion.match.NamespaceView;
import dev.pillion.rollout.Expectations;
import dev.pillion.rollout.Matching;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.rollout.Standing;
import dev.pillion.rollout.WaitReason;

/**
 * One set and its Pods as the controller would see them now.
 *
 * @param selected active Pods that selector and namespace selector match, with sidecars or without, by namespace and name
 * @param found those of them that the roll-out concerns
 * @param plan what a round would do
 * @param standings of the Pods found
 */
record RolloutLook(SidecarSet set, List<PodView> selected, Matching.Found found, Plan plan, List<Standing> standings) {

    static RolloutLook of(SidecarSet set, ClusterReads reads, Collection<NamespaceView> namespaces, RolloutOptions options, Instant now) {
        CompiledSet compiled = CompiledSet.of(set);
        List<PodView> read = set.selector().isEmpty() || compiled.selector().isEmpty() ? List.of() : reads.pods(set.selector().get());
        return of(compiled, read, namespaces, options, now);
    }

    List<Standing> standing(Standing.State state) {
        return standings.stream().filter(s -> s.state() == state).toList();
    }

    List<Standing> waitingFor(WaitReason reason) {
        return standings.stream().filter(s -> s.waits().filter(reason::equals).isPresent()).toList();
    }

    /** What is wrong with a selector of the set. */
    static Optional<String> fault(SidecarSet set) {
        return Matching.of(set).fault();
    }

    private static RolloutLook of(CompiledSet compiled, List<PodView> pods, Collection<NamespaceView> namespaces, RolloutOptions options,
            Instant now) {
        SidecarSet set = compiled.set();
        Map<String, NamespaceView> byName = new HashMap<>();
        Map<String, Map<String, String>> labels = new HashMap<>();
        namespaces.forEach(n -> {
            byName.put(n.name(), n);
            labels.put(n.name(), n.labels());
        });
        List<PodView> selected = new ArrayList<>();
        for (PodView pod : pods) {
            boolean in = compiled.matchesNamespace(Optional.ofNullable(byName.get(pod.key().namespace())));
            if (in && pod.isActive() && compiled.matchesLabels(pod.labels())) {
                selected.add(pod);
            }
        }
        selected.sort(Comparator.comparing(PodView::key));
        Matching.Found found = Matching.of(set).find(selected, labels);
        Plan.Registered registered = new Plan.Registered(set.status().latestRevision(), set.status().collisionCount().orElse(0));
        return new RolloutLook(set, selected, found, Plan.of(set, found, new Expectations(), registered, options, now),
                Standing.of(set, found, options, now));
    }
}

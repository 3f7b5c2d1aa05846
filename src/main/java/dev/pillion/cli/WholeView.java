package dev.pillion.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.explain.Absence;
import dev.pillion.explain.WebhookReach;
import dev.pillion.inject.Reason;
import dev.pillion.kube.ClusterReads;
import dev.pillion.match.NamespaceView;

import tools.jackson.databind.node.ObjectNode;

/**
 * What decides on injection beside a set and a Pod.
 *
 * @param configurations empty: they may not be read
 */
record WholeView(List<SidecarSet> sets, Collection<NamespaceView> namespaces, Optional<List<ObjectNode>> configurations) {

    /** A Pod without the sidecars of a set that matches it. */
    record Lacking(PodKey pod, String sentence) {
    }

    static WholeView of(ClusterReads reads, PrintWriter err) {
        return new WholeView(reads.sets(), reads.namespaces(), Gentle.read("webhook configurations",
                () -> Optional.of(reads.mutatingWebhookConfigurations()), Optional.empty(), err));
    }

    Optional<SidecarSet> set(String name) {
        return sets.stream().filter(s -> s.name().equals(name)).findFirst();
    }

    /** Pods that match the set and were not injected by it, by the reason's word. */
    Map<String, List<Lacking>> lacking(RolloutLook look) {
        Map<String, List<Lacking>> byReason = new TreeMap<>();
        for (PodView pod : look.selected()) {
            if (!pod.marks().injectedList().contains(look.set().name())) {
                cause(look.set(), pod, byReason);
            }
        }
        return byReason;
    }

    private void cause(SidecarSet set, PodView pod, Map<String, List<Lacking>> byReason) {
        Optional<String> canary = sets.stream().filter(s -> s.canaryOf().filter(set.name()::equals).isPresent()).map(SidecarSet::name)
                .filter(pod.marks().injectedList()::contains).findFirst();
        if (canary.isPresent()) {
            add(byReason, Reason.HIDDEN_BY_CANARY.word(), pod, "canary " + canary.get() + " takes its place");
            return;
        }
        Optional<NamespaceView> namespace = namespaces.stream().filter(n -> n.name().equals(pod.key().namespace())).findFirst();
        WebhookReach reach = PodQuestion.reach(configurations, namespace, pod.labels());
        Optional<Absence.Cause> certain = Absence.certain(set, pod, reach);
        if (certain.isEmpty() && set.injectionStrategy().paused()) {
            add(byReason, Reason.PAUSED.word(), pod, "spec.injectionStrategy.paused is true");
            return;
        }
        Absence.Cause cause = certain.orElseGet(() -> Absence.unreached(set, pod, reach));
        add(byReason, cause.absence().word(), pod, cause.sentence());
    }

    private static void add(Map<String, List<Lacking>> byReason, String word, PodView pod, String sentence) {
        byReason.computeIfAbsent(word, _ -> new ArrayList<>()).add(new Lacking(pod.key(), sentence));
    }
}

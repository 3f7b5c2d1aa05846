package dev.pillion.bench;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.api.PodChange;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;
import dev.pillion.rollout.Ledger;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.RolloutOptions;

import tools.jackson.databind.node.ObjectNode;

/** A roll-out in its middle, without a cluster: a ledger whose Pods all wait, and rounds over it. */
final class RoundSample {
    private static final String SET = "bench";
    private static final Map<String, String> LABELS = Map.of("app", "bench");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final int AT_ONCE = 20;

    private final Ledger ledger = new Ledger(RolloutOptions.PILLION);
    private final List<PodView> pods = new ArrayList<>();
    private int next;

    private RoundSample() {
    }

    /** No scatter: the order is the usual one. */
    static RoundSample plain(int pods) {
        return new RoundSample().fill(pods, pods, false);
    }

    /** Scatter {@code *} over a label with that many values, equally many Pods each. */
    static RoundSample scattered(int pods, int values) {
        return new RoundSample().fill(pods, values, true);
    }

    private RoundSample fill(int count, int values, boolean scatter) {
        StoredPods samples = new StoredPods("bench", List.of(set("t1", false)));
        for (int i = 0; i < count; i++) {
            ObjectNode pod = samples.pod(i, Map.of("app", "bench", "customer", "c-" + i % values));
            pod.withObject("/metadata").put("uid", "uid-" + i).put("resourceVersion", Integer.toString(i + 1));
            StoredPods.run(pod, i);
            pods.add(PodViews.of(pod));
        }
        ledger.rebuild(set("t2", scatter), Map.of(), pods);
        return this;
    }

    private static SidecarSet set(String tag, boolean scatter) {
        ObjectNode set = SampleSets.small(SET, LABELS, "registry.example/agent:" + tag);
        ObjectNode strategy = set.withObject("/spec/updateStrategy").put("maxUnavailable", AT_ONCE);
        if (scatter) {
            strategy.putArray("scatterStrategy").addObject().put("key", "customer").put("value", "*");
        }
        return SidecarSet.of(SampleSets.defaulted(set));
    }

    /** One Pod has changed, and the next step is planned, as a reconcile does. */
    Plan round() {
        PodView pod = pods.get(next++ % pods.size());
        ledger.apply(new PodChange.Seen(pod));
        return ledger.plan("bench-1", 0, NOW);
    }
}

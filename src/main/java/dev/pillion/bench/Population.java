package dev.pillion.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.podmeta.InPlaceState;
import dev.pillion.sandbox.Sandbox;

import tools.jackson.databind.node.ObjectNode;

/**
 * A large cluster in a sandbox: half of the sets go by the application, half by the team of a Pod, so that every Pod has the sidecars of
 * two sets, upgraded once. Pods of one owner have the same sets; every Pod was injected and upgraded in a second of its own.
 */
final class Population {
    static final String SETS = Wire.PLURAL + "." + Wire.GROUP;
    private static final int OWNERS_PER_TEAM = 7;
    private static final Instant UPGRADED = Instant.parse("2026-01-02T03:04:05Z");

    private final Sandbox sandbox;
    private int pods;

    Population(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    static String set(int number) {
        return "sidecars-of-group-" + number;
    }

    private static Map<String, String> labels(int set, int sets) {
        return set < sets / 2 ? Map.of("app", "app-" + set) : Map.of("team", "team-" + set);
    }

    void sets(int count) {
        for (int i = 0; i < count; i++) {
            ObjectNode set = SampleSets.defaulted(SampleSets.small(set(i), labels(i, count), i < count / 2 ? "agent" : "mesh",
                    "registry.example/" + (i < count / 2 ? "agent" : "mesh") + ":1." + i % 5));
            set.withObject("/metadata").put("generation", 1);
            sandbox.put(SETS, set);
        }
    }

    /** @param stored the sets as the controller has left them, in the order of their numbers */
    void pods(int count, List<SidecarSet> stored) {
        int sets = stored.size();
        for (int last = pods + count; pods < last; pods++) {
            int first = StoredPods.owner(pods) % (sets / 2);
            int second = sets / 2 + StoredPods.owner(pods) / OWNERS_PER_TEAM % (sets - sets / 2);
            List<SidecarSet> both = List.of(stored.get(first), stored.get(second));
            ObjectNode pod = new StoredPods(Cluster.NAMESPACE, both).pod(pods,
                    Map.of("app", "app-" + first, "team", "team-" + second));
            StoredPods.run(pod, pods);
            InPlaceState state = InPlaceState.of("");
            String text = state.with(both.get(0).name(), both.get(0).hash(), Map.of("agent", "registry.example/agent@sha256:"
                    + "0123456789abcdef".repeat(4)), UPGRADED.plusSeconds(pods));
            text = InPlaceState.of(text).with(both.get(1).name(), both.get(1).hash(), Map.of("mesh", "registry.example/mesh@sha256:"
                    + "fedcba9876543210".repeat(4)), UPGRADED.plusSeconds(pods));
            pod.withObject("/metadata/annotations").put(Wire.IN_PLACE_STATE, text);
            sandbox.put("pods", pod);
        }
    }
}

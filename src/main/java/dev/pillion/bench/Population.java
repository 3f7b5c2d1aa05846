package dev.pillion.bench;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import dev.pillion.api.Json;
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

    static final int PODS_PER_SET_EVENT = 20;
    private static final long NANOS = 1_000_000_000;
    private static final long SHORTEST_PAUSE = 1_000_000;

    private final Sandbox sandbox;
    private final List<String> keys = new ArrayList<>();
    private int pods;
    private int sets;
    private int stirred;

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
        sets = count;
        for (int i = 0; i < count; i++) {
            ObjectNode set = SampleSets.defaulted(SampleSets.small(set(i), labels(i, count), i < count / 2 ? "agent" : "mesh",
                    "registry.example/" + (i < count / 2 ? "agent" : "mesh") + ":1." + i % 5));
            set.withObject("/metadata").put("generation", 1);
            sandbox.put(SETS, set);
        }
    }

    /**
     * Makes events: the Pods in turn become unready, and ready again in the next turn; every so many Pods one set gets a new annotation.
     *
     * @param events of Pods
     * @param perSecond how many of them at most
     */
    void stir(int events, int perSecond) {
        long begin = System.nanoTime();
        for (int i = 0; i < events; i++) {
            String ready = stirred / pods % 2 == 0 ? "False" : "True";
            sandbox.change("pods", keys.get(stirred % pods), pod -> pod.path("status").path("conditions").forEach(condition -> {
                if (Json.text(condition, "type").endsWith("Ready")) {
                    ((ObjectNode) condition).put("status", ready);
                }
            }));
            if (stirred % PODS_PER_SET_EVENT == 0) {
                String text = Integer.toString(stirred);
                sandbox.change(SETS, set(stirred / PODS_PER_SET_EVENT % sets),
                        set -> set.withObject("/metadata/annotations").put("bench.example/stirred", text));
            }
            stirred++;
            long early = begin + (i + 1) * NANOS / perSecond - System.nanoTime();
            if (early > SHORTEST_PAUSE) {
                LockSupport.parkNanos(early);
            }
        }
    }

    /** How many sets have a status that does not count the Pods that are ready as they are stored. */
    int miscounted() {
        Map<String, Integer> ready = new HashMap<>();
        for (String key : keys) {
            ObjectNode pod = sandbox.get("pods", key).orElseThrow();
            if (pod.path("status").path("conditions").valueStream()
                    .anyMatch(c -> Json.text(c, "type").equals("Ready") && Json.text(c, "status").equals("True"))) {
                pod.path("metadata").path("labels")
                        .forEachEntry((label, value) -> ready.merge(label + "=" + value.stringValue(""), 1, Integer::sum));
            }
        }
        int wrong = 0;
        for (int i = 0; i < sets; i++) {
            Map.Entry<String, String> label = labels(i, sets).entrySet().iterator().next();
            int counted = SidecarSet.of(sandbox.get(SETS, set(i)).orElseThrow()).status().readyPods();
            wrong += counted == ready.getOrDefault(label.getKey() + "=" + label.getValue(), 0) ? 0 : 1;
        }
        return wrong;
    }

    /** @param stored the sets as the controller has left them, in the order of their numbers */
    void pods(int count, List<SidecarSet> stored) {
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
            keys.add(Cluster.NAMESPACE + "/" + Json.text(pod.path("metadata"), "name"));
        }
    }
}

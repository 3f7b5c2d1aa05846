package dev.pillion.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.pillion.api.Json;
import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;
import dev.pillion.rollout.Availability;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How far the sets are, read from the cluster as any client would.
 *
 * @param rows by workload
 * @param pods that the sets work on; sound are updated, consistent and ready, moving are updated but not yet sound
 * @param total all pods there are; unready of them are not ready
 */
public record Progress(List<Workload> rows, int pods, int sound, int moving, List<String> movingPods, int total, int unready) {

    /** Pods of one Deployment, or a pod of its own. */
    public record Workload(String name, int pods, int sound, int moving) {
    }

    public Progress {
        rows = List.copyOf(rows);
        movingPods = List.copyOf(movingPods);
    }

    /** Reads the sets as they are stored now, and pods as the API gives them. */
    public static Progress of(List<SidecarSet> sets, List<ObjectNode> pods) {
        Map<String, int[]> groups = new TreeMap<>();
        List<String> movingPods = new ArrayList<>();
        int unready = 0;
        Map<SidecarSet, Availability> rules = new LinkedHashMap<>();
        sets.forEach(set -> rules.put(set, Availability.of(set)));
        for (ObjectNode raw : pods) {
            PodView pod = PodViews.of(raw);
            unready += pod.isReady() ? 0 : 1;
            for (Map.Entry<SidecarSet, Availability> entry : rules.entrySet()) {
                SidecarSet set = entry.getKey();
                Availability availability = entry.getValue();
                if (!availability.counts(pod)) {
                    continue;
                }
                int[] counts = groups.computeIfAbsent(workload(raw), _ -> new int[3]);
                counts[0]++;
                boolean updated = pod.marks().hash(set.name()).map(HashEntry::hash).orElse("").equals(set.hash());
                if (updated && availability.isSound(pod)) {
                    counts[1]++;
                } else if (updated) {
                    counts[2]++;
                    movingPods.add(pod.key().toString());
                }
            }
        }
        List<Workload> rows = groups.entrySet().stream()
                .map(e -> new Workload(e.getKey(), e.getValue()[0], e.getValue()[1], e.getValue()[2])).toList();
        return new Progress(rows, rows.stream().mapToInt(Workload::pods).sum(), rows.stream().mapToInt(Workload::sound).sum(),
                rows.stream().mapToInt(Workload::moving).sum(), movingPods, pods.size(), unready);
    }

    public boolean isComplete() {
        return pods > 0 && sound == pods;
    }

    String line() {
        return sound + "/" + pods + " pods updated and ready, " + moving + " on their way";
    }

    /** The Deployment a pod belongs to: its ReplicaSet's name without the template hash. */
    private static String workload(JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        String owner = Json.text(metadata.path("ownerReferences").path(0), "name");
        String hash = "-" + Json.text(metadata.path("labels"), "pod-template-hash");
        if (owner.isEmpty()) {
            return Json.text(metadata, "name");
        }
        return owner.endsWith(hash) ? owner.substring(0, owner.length() - hash.length()) : owner;
    }
}

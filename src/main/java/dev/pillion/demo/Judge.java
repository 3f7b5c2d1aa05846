package dev.pillion.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.pillion.api.Json;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodMarks.HashEntry;
import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.podmeta.PodViews;
import dev.pillion.rollout.Availability;
import dev.pillion.rollout.RolloutOptions.Budget;

import tools.jackson.databind.node.ObjectNode;

/**
 * Says from an audit log whether maxUnavailable was kept for one set (rollout.md 16.3).
 *
 * <ol>
 * <li>Replay all writes in the order of the store; keep each pod and the set as they were after each write.
 * <li>A write of Pillion that gives a ready pod a new recorded hash H is an upgrade that uses budget.
 * <li>Before it, count the other matching pods that were upgraded to H while ready and have not been consistent and ready since.
 * <li>That count must be less than M, the greatest value maxUnavailable had within the grace time: a change of the set, or of the
 * number of pods, may still have been on its way to the controller.
 * <li>A pod whose deletion had been asked for when the upgrade was answered does not count: kube-apiserver marks a pod that goes at once
 * in a version of its own before it removes it, and the log shows the removal only.
 * </ol>
 */
public final class Judge {
    static final String USER_AGENT = "pillion";

    private final String setName;
    private final Duration grace;
    private final Budget budget;
    private final Map<PodKey, PodView> pods = new HashMap<>();
    /** Pods in an upgrade that uses budget, by uid. They count while they match. */
    private final Map<String, Way> busy = new HashMap<>();
    private final Deque<Limit> limits = new ArrayDeque<>();
    /** When the deletion of a pod was first asked for, by uid. */
    private final Map<String, Instant> deletions;
    private final Map<String, Integer> podWrites = new HashMap<>();
    private final Map<String, Integer> statusPatches = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<PodKey> matching = new HashSet<>();
    private Optional<Availability> set = Optional.empty();
    private int mostBusy;

    /** A pod on its way to a hash, since a version of the store. */
    private record Way(PodKey pod, String hash, long since) {
        @Override
        public String toString() {
            return pod + " since " + since;
        }
    }

    private record Limit(Instant at, int value) {
    }

    /**
     * What the log shows.
     *
     * @param mostUnavailable most pods at once that were upgraded while ready and were not yet sound again
     * @param violations one sentence for each write that broke the limit
     * @param podWrites Pillion's writes of pods after their creation, by pod uid
     * @param statusPatches Pillion's patches of the status of pods, by pod uid
     */
    public record Verdict(int mostUnavailable, List<String> violations, Map<String, Integer> podWrites,
            Map<String, Integer> statusPatches) {
        public Verdict {
            violations = List.copyOf(violations);
            podWrites = Map.copyOf(podWrites);
            statusPatches = Map.copyOf(statusPatches);
        }

        public int writes() {
            return sum(podWrites) + sum(statusPatches);
        }

        private static int sum(Map<String, Integer> counts) {
            return counts.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    private Judge(String setName, Duration grace, Budget budget, List<AuditLog.Write> writes) {
        this.setName = setName;
        this.grace = grace;
        this.budget = budget;
        this.deletions = writes.stream().filter(w -> w.isOn("pods") && w.verb().equals("delete"))
                .collect(Collectors.toMap(w -> Json.text(w.response().path("metadata"), "uid"), AuditLog.Write::received,
                        (a, b) -> a.isBefore(b) ? a : b));
    }

    /** Judges one set's roll-out as with the default of setting rollout.budget. */
    public static Verdict judge(List<AuditLog.Write> writes, String setName, Duration grace) {
        return judge(writes, setName, grace, Budget.COMPATIBLE);
    }

    /**
     * Judges one set's roll-out.
     *
     * @param grace how long a change of the set or of its number of pods may take to reach the controller
     * @param budget strict: pods that are on their way to any hash count, not only those on their way to the same one
     */
    public static Verdict judge(List<AuditLog.Write> writes, String setName, Duration grace, Budget budget) {
        Judge judge = new Judge(setName, grace, budget, writes);
        writes.forEach(judge::take);
        return new Verdict(judge.mostBusy, judge.violations, judge.podWrites, judge.statusPatches);
    }

    private void take(AuditLog.Write write) {
        if (write.isOn("sidecarsets") && write.name().equals(setName) && write.response() instanceof ObjectNode object
                && !write.removes()) {
            Availability changed = Availability.of(SidecarSet.of(object));
            set = Optional.of(changed);
            matching.clear();
            pods.values().stream().filter(p -> changed.counts(p)).forEach(p -> matching.add(p.key()));
            noteLimit(write.at());
        } else if (write.isOn("pods") && write.response() instanceof ObjectNode object && object.path("spec").isObject()) {
            takePod(write, PodViews.of(object));
        }
    }

    private void takePod(AuditLog.Write write, PodView now) {
        PodKey key = now.key();
        if (write.removes()) {
            pods.remove(key);
            matching.remove(key);
            busy.remove(now.uid());
            noteLimit(write.at());
            return;
        }
        PodView before = pods.put(key, now);
        boolean ours = isOurs(write) && before != null;
        if (ours && !write.verb().equals("delete")) {
            (write.subresource().isEmpty() ? podWrites : statusPatches).merge(now.uid(), 1, Integer::sum);
        }
        set.ifPresent(s -> {
            if (s.counts(now)) {
                matching.add(key);
            } else {
                matching.remove(key);
            }
            if (ours && write.subresource().isEmpty() && !hash(before).equals(hash(now)) && s.isReady(before)) {
                judgeUpgrade(write, s, now);
            }
            if (busy.containsKey(now.uid()) && (!now.isActive() || s.isSound(now))) {
                busy.remove(now.uid());
            }
        });
        noteLimit(write.at());
    }

    /** Whether a controller of Pillion wrote; the user agent goes on with a version and the replica. */
    public static boolean isOurs(AuditLog.Write write) {
        return write.userAgent().startsWith(USER_AGENT + "/");
    }

    private void judgeUpgrade(AuditLog.Write write, Availability s, PodView pod) {
        String to = hash(pod);
        busy.remove(pod.uid());
        List<Way> others = busy.entrySet().stream().filter(e -> !isGoing(e.getKey(), write.at())).map(Map.Entry::getValue)
                .filter(w -> matching.contains(w.pod) && (budget == Budget.STRICT || w.hash.equals(to))).toList();
        int limit = limit(write.at(), s);
        if (others.size() >= limit) {
            violations.add(pod.key() + " was upgraded while " + others.size() + " pods were unavailable ("
                    + others.stream().map(Way::toString).collect(Collectors.joining(", ")) + "), the limit being " + limit
                    + " (resourceVersion " + write.version() + ")");
        }
        busy.put(pod.uid(), new Way(pod.key(), to, write.version()));
        mostBusy = Math.max(mostBusy, others.size() + 1);
    }

    private boolean isGoing(String uid, Instant at) {
        Instant asked = deletions.get(uid);
        return asked != null && !asked.isAfter(at);
    }

    private int limit(Instant at, Availability s) {
        while (limits.size() > 1 && limits.getFirst().at.isBefore(at.minus(grace)) && nextIsOld(at)) {
            limits.removeFirst();
        }
        return Math.max(s.maxUnavailable(matching.size()), limits.stream().mapToInt(Limit::value).max().orElse(0));
    }

    /** The newest of the old limits was still in force when the grace time began. */
    private boolean nextIsOld(Instant at) {
        var entries = limits.iterator();
        entries.next();
        return entries.next().at.isBefore(at.minus(grace));
    }

    private void noteLimit(Instant at) {
        set.ifPresent(s -> {
            int value = s.maxUnavailable(matching.size());
            if (limits.isEmpty() || limits.getLast().value != value) {
                limits.addLast(new Limit(at, value));
            }
        });
    }

    private String hash(PodView pod) {
        return pod.marks().hash(setName).map(HashEntry::hash).orElse("");
    }
}

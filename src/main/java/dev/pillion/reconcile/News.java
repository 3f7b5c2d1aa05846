package dev.pillion.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.rollout.Decision;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.WaitReason;

/** What has been told of one set, and since when its roll-out stands. Not safe for threads, but for {@link #waiting()}. */
final class News {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    /** Reasons that a start of the program does not make news again. */
    private static final Set<WaitReason> CALM = EnumSet.of(WaitReason.NOT_UPDATE, WaitReason.PAUSED, WaitReason.SET_DELETING,
            WaitReason.NOT_SELECTED, WaitReason.PARTITION, WaitReason.NOT_UPGRADABLE, WaitReason.OTHER_CONTAINERS);
    /** Reasons of a moment; while they hold, the plan does not say which others do. */
    private static final Set<WaitReason> PASSING = EnumSet.of(WaitReason.UPDATED_HASH_EXPECTED, WaitReason.FLIPPING);

    private final Set<WaitReason> told = EnumSet.noneOf(WaitReason.class);
    private final Set<WaitReason> holding = EnumSet.noneOf(WaitReason.class);
    private final Map<String, String> refusals = new HashMap<>();
    private String fault = "";
    private String hash = "";
    private boolean begun;
    private boolean longHistory;
    private int updated;
    private int updatedReady;
    private Optional<Instant> standingSince = Optional.empty();
    private Duration longestPause = Duration.ZERO;
    private volatile Map<WaitReason, Integer> waiting = Map.of();

    /** Takes a plan in that is about to be left as it is. */
    void about(SidecarSet set, Plan plan, Instant now) {
        fault = "";
        Map<WaitReason, Integer> counts = new EnumMap<>(WaitReason.class);
        plan.waiting().forEach(w -> counts.put(w.reason(), w.pods()));
        waiting = Map.copyOf(counts);
        holding.clear();
        holding.addAll(counts.keySet());
        if (!begun) {
            begun = true;
            hash = set.hash();
            if (set.status().observedGeneration() == set.generation()) {
                told.addAll(holding);
                told.retainAll(CALM);
            }
        }
        if (!hash.equals(set.hash())) {
            hash = set.hash();
            told.clear();
            longestPause = Duration.ZERO;
            standingSince = Optional.empty();
        }
        if (!counts.containsKey(WaitReason.REFUSED)) {
            refusals.clear();
        }
        stand(plan, now);
        if (PASSING.stream().noneMatch(holding::contains)) {
            told.retainAll(holding);
        }
    }

    private void stand(Plan plan, Instant now) {
        boolean moves = plan.status().updatedPods() != updated || plan.status().updatedReadyPods() != updatedReady
                || plan.decisions().stream().anyMatch(d -> d instanceof Decision.Upgrade || d instanceof Decision.Flip);
        updated = plan.status().updatedPods();
        updatedReady = plan.status().updatedReadyPods();
        if (holding.isEmpty()) {
            standingSince = Optional.empty();
        } else if (moves || standingSince.isEmpty()) {
            standingSince.map(since -> Duration.between(since, now)).filter(p -> p.compareTo(longestPause) > 0).ifPresent(p -> {
                longestPause = p;
            });
            standingSince = Optional.of(now);
        }
        if (moves) {
            told.remove(WaitReason.MAX_UNAVAILABLE);
        }
    }

    /** Empty when the roll-out has stood long enough to be told of; else how long to wait. */
    Optional<Duration> untilStanding(Instant now) {
        Duration twice = longestPause.multipliedBy(2);
        Duration enough = twice.compareTo(PAUSE) < 0 ? PAUSE : twice;
        return standingSince.map(since -> enough.minus(Duration.between(since, now))).filter(Duration::isPositive);
    }

    /** Whether the reason was not told yet since it began to hold; it counts as told from now on. */
    boolean isNew(WaitReason reason) {
        return told.add(reason);
    }

    boolean isTold(WaitReason reason) {
        return told.contains(reason);
    }

    boolean isFaultNews(String text) {
        boolean news = !text.equals(fault);
        fault = text;
        return news;
    }

    /** Whether the history has begun to be too long. */
    boolean isHistoryNews(boolean tooLong) {
        boolean news = tooLong && !longHistory;
        longHistory = tooLong;
        return news;
    }

    /** Whether this Pod's refusal has another text than the last one. */
    boolean isRefusalNews(PodView pod, String text) {
        return !text.equals(refusals.put(pod.uid(), text));
    }

    /** How many Pods wait for which reason, as of the last reconcile. Safe for all threads. */
    Map<WaitReason, Integer> waiting() {
        return waiting;
    }
}

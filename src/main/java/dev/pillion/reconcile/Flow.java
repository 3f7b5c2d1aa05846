package dev.pillion.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import dev.pillion.api.PodChange;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.SetKey;
import dev.pillion.kube.PodCache;
import dev.pillion.rollout.Decision;
import dev.pillion.rollout.Plan;

/**
 * Carries the decisions of one reconcile out, several Pods at a time and in steady motion.
 * <ol>
 * <li>What is decided is started in order, as far as there is room.
 * <li>Each answer goes into ledger and cache before anything else is decided.
 * <li>When all is started, the inbox is asked for news, and what they allow is started beside what is under way: no Pod waits for the
 * slowest write of a round. Not while something but upgrades and marks is under way, nor after a failure.
 * <li>When nothing is under way any more, news, conflicts and refusals lead to another plan; the latter a few times at most.
 * <li>After a while, or when the set is another one, nothing more is started: other sets shall have their turn, and this one's status
 * is due.
 * </ol>
 * News of a Pod that is under way wait for its answer, so that the ledger learns things in the order in which they happened.
 */
final class Flow {
    private static final Logger LOG = LoggerFactory.getLogger(Flow.class);
    private static final int MOST_ROUNDS = 8;
    private static final Duration SPELL = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Reconciler.Shared shared;
    private final PodCache cache;
    private final ReconcileOptions options;
    private final InstantSource clock;
    private final Announcer announcer;
    private final Run run;
    private final Tally tally;

    private final Lanes<PodResult> lanes;
    private final Deque<Decision> todo = new ArrayDeque<>();
    private final Map<PodKey, Decision> underWay = new HashMap<>();
    private final Map<PodKey, List<PodChange>> heldBack = new HashMap<>();
    private final Instant end;
    private Tally.Round round = new Tally.Round();
    private int rounds = 1;

    /** Everything that does not change from one reconcile to the next. */
    record Surroundings(Reconciler.Shared shared, PodCache cache, ReconcileOptions options, InstantSource clock, Announcer announcer) {
    }

    Flow(Surroundings surroundings, Run run, Tally tally) {
        this.shared = surroundings.shared;
        this.cache = surroundings.cache;
        this.options = surroundings.options;
        this.clock = surroundings.clock;
        this.announcer = surroundings.announcer;
        this.run = run;
        this.tally = tally;
        this.lanes = new Lanes<>(options.parallelWrites());
        this.end = clock.instant().plus(SPELL);
    }

    /** Returns when nothing is under way any more. */
    void carryOut(Plan first) {
        todo.addAll(first.decisions());
        while (true) {
            start();
            if (!lanes.isIdle()) {
                takeIn(lanes.take());
                if (todo.isEmpty() && isSteady() && !isOver() && hear()) {
                    decide();
                }
            } else if (!anotherRound()) {
                return;
            }
        }
    }

    private void start() {
        if (todo.isEmpty() || !lanes.hasRoom()) {
            return;
        }
        if (isOver()) {
            todo.clear();
            return;
        }
        PodTask task = new PodTask(run.fenced().podWrites(), options.rollout(), shared.meters(), new PodTask.Round(run.set(),
                run.registered().latest(), name -> run.index().set(new SetKey(name)).isPresent(), clock.instant()));
        while (!todo.isEmpty() && lanes.hasRoom()) {
            Decision decision = todo.removeFirst();
            underWay.put(decision.pod().key(), decision);
            lanes.start(() -> task.run(decision));
        }
    }

    private boolean isOver() {
        return !clock.instant().isBefore(end)
                || !shared.sets().get().set(run.set().key()).filter(run.ledger()::isFor).isPresent();
    }

    private boolean isSteady() {
        return !round.hasFailures() && underWay.values().stream().allMatch(d -> switch (d) {
            case Decision.Upgrade _,Decision.MarkUpgradable _,Decision.MarkNotUpgradable _ -> true;
            case Decision.Flip _,Decision.ReadLive _ -> false;
        });
    }

    /** Whether there were news. */
    private boolean hear() {
        List<PodChange> news = shared.inboxes().drain(run.set().key());
        for (PodChange change : news) {
            PodKey pod = switch (change) {
                case PodChange.Seen(PodView seen) -> seen.key();
                case PodChange.Gone(PodKey gone, _) -> gone;
                case PodChange.Rebuild _ -> null;
            };
            if (pod != null && underWay.containsKey(pod)) {
                heldBack.computeIfAbsent(pod, _ -> new ArrayList<>()).add(change);
            } else {
                run.ledger().apply(change);
            }
        }
        return !news.isEmpty();
    }

    private void decide() {
        run.plan(clock.instant(), Set.copyOf(underWay.keySet())).decisions().stream()
                .filter(d -> !underWay.containsKey(d.pod().key())).forEach(todo::add);
    }

    private boolean anotherRound() {
        Tally.Round ended = round;
        tally.add(ended);
        round = new Tally.Round();
        if (isOver()) {
            tally.again(Duration.ZERO);
            return false;
        }
        if (ended.changesThePlan()) {
            if (++rounds > MOST_ROUNDS) {
                tally.unfinished();
                return false;
            }
            hear();
        } else if (ended.hasFailures() || !hear()) {
            return false;
        }
        decide();
        return true;
    }

    /** Makes the ledger and the cache know what the API server said, before anything else is decided. */
    private void takeIn(PodResult result) {
        Instant now = clock.instant();
        PodView pod = result.decision().pod();
        round.count(result);
        result.answer().ifPresent(answer -> {
            cache.applyOwnWrite(answer);
            switch (result.decision()) {
                case Decision.ReadLive _ -> run.ledger().readLive(answer, now);
                case Decision.Upgrade _ -> run.ledger().upgraded(answer, now);
                case Decision.Flip _,Decision.MarkUpgradable _,Decision.MarkNotUpgradable _ -> run.ledger().wrote(answer, now);
            }
        });
        announcer.result(run.state(), result);
        result.failure().ifPresent(failure -> takeIn(result, failure, now));
        underWay.remove(pod.key());
        List<PodChange> news = heldBack.remove(pod.key());
        if (news != null) {
            news.forEach(run.ledger()::apply);
        }
    }

    private void takeIn(PodResult result, Failure failure, Instant now) {
        PodView pod = result.decision().pod();
        LOG.atLevel(failure instanceof Failure.Lost ? Level.DEBUG : Level.INFO).addKeyValue("sidecarSet", run.set().name())
                .addKeyValue("pod", pod.key()).addKeyValue("reason", failure.word()).log("Pod was not written as decided");
        switch (failure) {
            case Failure.Lost _ -> {
                // The next owner decides anew.
            }
            case Failure.Gone _ -> run.ledger().vanished(pod.key());
            case Failure.Conflict conflict -> conflict.live().ifPresent(view -> {
                cache.applyOwnWrite(view);
                run.ledger().readLive(view, now);
            });
            case Failure.Refused _ -> {
                if (result.answer().isEmpty()) {
                    run.ledger().refused(pod, now);
                }
            }
            case Failure.Unavailable _ -> run.ledger().uncertain(result.answer().orElse(pod), now.plus(SOON));
        }
    }
}

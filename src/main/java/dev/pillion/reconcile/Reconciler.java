package dev.pillion.reconcile;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.PodChange;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.BusMessage.Outcome;
import dev.pillion.bus.Fence;
import dev.pillion.bus.Inboxes;
import dev.pillion.bus.LatestSets;
import dev.pillion.bus.Ownership;
import dev.pillion.kube.KubeException;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.rollout.Ledger;
import dev.pillion.rollout.Plan;
import dev.pillion.rollout.WaitReason;

/**
 * One reconcile of one set (rollout.md 1).
 * <ol>
 * <li>Whether the set is ours to write for; asked again just before each write.
 * <li>The set, from the index. Gone: forget everything about it.
 * <li>The ledger: what waits in the inbox, or everything anew when the set is another one than the ledger rests on.
 * <li>The revision, and the history's length.
 * <li>The plan; its status when it differs.
 * <li>The decisions, several Pods at a time, and what becomes possible meanwhile: {@link Flow}.
 * </ol>
 * Safe for all threads, as long as one set has one caller at a time: the queue's promise.
 */
public final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    /** What everybody shares with the reconciler. */
    public record Shared(LatestSets sets, Inboxes inboxes, Ledgers ledgers, ReconcileMeters meters, Ownership ownership) {
    }

    private final KubePorts kube;
    private final Shared shared;
    private final ReconcileOptions options;
    private final InstantSource clock;
    private final Announcer announcer;
    private final Flow.Surroundings surroundings;

    public Reconciler(KubePorts kube, Shared shared, ReconcileOptions options, InstantSource clock) {
        this.kube = kube;
        this.shared = shared;
        this.options = options;
        this.clock = clock;
        this.announcer = new Announcer(kube.events());
        this.surroundings = new Flow.Surroundings(shared, kube.pods(), options, clock, announcer);
        for (WaitReason reason : WaitReason.values()) {
            shared.meters.waiting(reason.word(), () -> shared.ledgers.waiting(reason));
        }
    }

    /** Runs once; a request that fails beyond what one Pod can cause ends it with Failed, anything unexpected throws. */
    public Outcome reconcile(SetKey key) {
        Fence fence = shared.ownership.fence(key);
        if (!fence.isOpen()) {
            return new Outcome.Lost();
        }
        // In this order: an index taken before the inbox could be older than the change that a Rebuild in it stands for.
        List<PodChange> changes = shared.inboxes.drain(key);
        SetIndex index = shared.sets.get();
        Optional<SidecarSet> set = index.set(key);
        if (set.isEmpty()) {
            shared.ledgers.drop(key);
            shared.inboxes.drop(key);
            return new Outcome.Gone();
        }
        try {
            return reconcile(set.get(), changes, index, FencedPorts.of(kube, fence));
        } catch (OwnershipLostException _) {
            return new Outcome.Lost();
        } catch (KubeException e) {
            LOG.atWarn().addKeyValue("sidecarSet", key).addKeyValue("code", e.code()).addKeyValue("reason", e.getMessage())
                    .log("Reconcile failed");
            return new Outcome.Failed(Failure.of(e).word());
        } catch (RuntimeException | Error e) {
            // What was drained may be half taken in; the next attempt must not rest on it.
            shared.inboxes.append(key, new PodChange.Rebuild());
            throw e;
        }
    }

    private Outcome reconcile(SidecarSet set, List<PodChange> changes, SetIndex index, KubePorts fenced) {
        SetState state = shared.ledgers.of(set);
        bringUpToDate(state.ledger(), set, changes, index);
        Optional<String> fault = state.ledger().fault();
        if (fault.isPresent()) {
            LOG.atWarn().addKeyValue("sidecarSet", set.name()).addKeyValue("reason", fault.get()).log("Set cannot select Pods");
            announcer.unselectable(set, state, fault.get());
            return new Outcome.Failed("selector");
        }
        RevisionKeeper revisions = new RevisionKeeper(fenced.revisions(), options.revision(), shared.meters);
        Optional<RevisionKeeper.Registered> registered = revisions.register(state.newest(set), state);
        if (registered.isEmpty()) {
            return new Outcome.Again(SOON);
        }
        revisions.truncate(set, state, registered.get().history(), state.ledger().revisionsInUse());
        return rounds(new Run(set, index, state, registered.get(), fenced));
    }

    private void bringUpToDate(Ledger ledger, SidecarSet set, List<PodChange> changes, SetIndex index) {
        if (ledger.isFor(set)) {
            changes.forEach(ledger::apply);
        }
        if (!ledger.isFor(set)) {
            Map<String, Map<String, String>> labels = new HashMap<>();
            index.namespaces().forEach(n -> labels.put(n.name(), n.labels()));
            ledger.rebuild(set, labels, kube.pods().naming(set.key()));
        }
        shared.inboxes.podCount(set.key(), ledger.podCount());
    }

    private Outcome rounds(Run run) {
        Tally tally = new Tally();
        Plan plan = run.plan(clock.instant(), Set.of());
        StatusKeeper status = new StatusKeeper(run.fenced().sets(), options.statusMinInterval(), shared.meters);
        switch (status.keep(run.set(), run.state(), plan.status(), clock.instant())) {
            case StatusKeeper.Kept.Current _ -> {
            }
            case StatusKeeper.Kept.Later later -> tally.again(later.after());
            case StatusKeeper.Kept.Outdated _ -> {
                return new Outcome.Again(SOON);
            }
        }
        new Flow(surroundings, run, tally).carryOut(plan);
        Plan left = run.plan(clock.instant(), Set.of());
        left.again().ifPresent(tally::again);
        announcer.plan(run.set(), run.state(), left, clock.instant()).ifPresent(tally::again);
        return tally.outcome();
    }
}

package dev.pillion.reconcile;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.RevisionWrites;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.revision.History;
import dev.pillion.revision.RevisionOptions;
import dev.pillion.revision.Step;

/** Registers a set's revision and shortens its history (rollout.md 3.3, 3.4). */
final class RevisionKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(RevisionKeeper.class);
    private static final int TRIES = 4;

    /**
     * Where the set stands.
     *
     * @param history ascending, the latest last; empty for a set being deleted
     */
    record Registered(String latest, int collisionCount, List<Revision> history) {
    }

    private final RevisionWrites writes;
    private final RevisionOptions options;
    private final ReconcileMeters meters;

    RevisionKeeper(RevisionWrites writes, RevisionOptions options, ReconcileMeters meters) {
        this.writes = writes;
        this.options = options;
        this.meters = meters;
    }

    /**
     * Empty: an older set of the same name still holds the revision; come back later (rollout.md 16.2 N). Data, name and number depend
     * on the generation only, so as long as the view still ends with what was registered for it, nothing is computed.
     */
    Optional<Registered> register(SidecarSet set, SetState state) {
        List<Revision> labelled = writes.of(set.name());
        Optional<Registered> known = state.registered(set).filter(_ -> !set.deleting());
        if (known.isPresent()) {
            List<Revision> own = History.own(set, labelled);
            if (!own.isEmpty() && own.getLast().name().equals(known.get().latest())) {
                return Optional.of(new Registered(known.get().latest(), known.get().collisionCount(), own));
            }
        }
        Optional<Registered> registered = carryOut(set, History.register(set, labelled, options));
        registered.ifPresent(r -> state.registered(set, r));
        return registered;
    }

    private Optional<Registered> carryOut(SidecarSet set, Step first) {
        Step step = first;
        for (int tries = TRIES;; tries--) {
            switch (step) {
                case Step.Registered done -> {
                    done.customVersion().ifPresent(version -> label(set, done.latest(), version));
                    return Optional.of(new Registered(done.latest().name(), done.collisionCount(), done.history()));
                }
                case Step.Terminating _ -> {
                    return Optional.of(new Registered(set.status().latestRevision(), set.status().collisionCount().orElse(0), List.of()));
                }
                case Step.Wait wait -> {
                    LOG.atInfo().addKeyValue("sidecarSet", set.name()).addKeyValue("revision", wait.heldBy().name())
                            .log("Revision still belongs to an older set of the same name");
                    return Optional.empty();
                }
                case Step.Renumber renumber -> step = renumber(renumber, tries);
                case Step.Create create -> step = create(create, set);
            }
        }
    }

    private Step renumber(Step.Renumber step, int triesLeft) {
        try {
            Step next = step.renumbered(writes.renumber(step.revision(), step.number()));
            meters.write("revision", "ok");
            return next;
        } catch (KubeException e) {
            meters.write("revision", Failure.of(e).word());
            if (!e.isConflict() || triesLeft <= 1) {
                throw e;
            }
            return new Step.Renumber(step.set(), writes.read(step.revision().name()), step.number(), step.others(), step.collisionCount());
        }
    }

    private Step create(Step.Create step, SidecarSet set) {
        try {
            Step next = step.created(writes.create(step.wanted(), set));
            meters.write("revision", "ok");
            return next;
        } catch (KubeException e) {
            if (!e.isAlreadyExists()) {
                meters.write("revision", Failure.of(e).word());
                throw e;
            }
            return step.nameTaken(writes.read(step.wanted().name()));
        }
    }

    /** A label the server refuses must not stop the roll-out (rollout.md 16.2 O). */
    private void label(SidecarSet set, Revision latest, String version) {
        try {
            writes.label(latest, Wire.CUSTOM_VERSION_LABEL, version);
            meters.write("revision", "ok");
        } catch (KubeException e) {
            meters.write("revision", Failure.of(e).word());
            LOG.atWarn().addKeyValue("reason", e.getMessage()).addKeyValue("sidecarSet", set.name()).addKeyValue("revision", latest.name())
                    .log("Custom version could not be put on the revision");
        }
    }

    /** Deletes what the limit does not allow. Failures are logged only (rollout.md 12.6), what is in use beyond the limit once (16.2 R). */
    void truncate(SidecarSet set, SetState state, List<Revision> history, Set<String> inUse) {
        List<Revision> excess = History.truncate(set, history, inUse);
        int left = history.size() - excess.size();
        if (state.news().isHistoryNews(left > History.limit(set))) {
            LOG.atInfo().addKeyValue("sidecarSet", set.name()).addKeyValue("revisions", left)
                    .log("Pods or pins use more revisions than revisionHistoryLimit");
        }
        try {
            for (Revision old : excess) {
                writes.delete(old);
                meters.write("revision", "ok");
            }
        } catch (KubeException e) {
            meters.write("revision", Failure.of(e).word());
            LOG.atWarn().addKeyValue("reason", e.getMessage()).addKeyValue("sidecarSet", set.name())
                    .log("Old revisions could not be deleted");
        }
    }
}

package dev.pillion.reconcile;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.PodView;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.PodWrites;
import dev.pillion.metrics.ReconcileMeters;
import dev.pillion.podmeta.HashAnnotation;
import dev.pillion.rollout.Decision;
import dev.pillion.rollout.PodPatch;
import dev.pillion.rollout.RolloutOptions;

/** Carries out one decision about one Pod. Touches no ledger, so many may run at once; never throws for what a Pod or the server does. */
final class PodTask {
    private static final Logger LOG = LoggerFactory.getLogger(PodTask.class);

    /**
     * What all tasks of a round have in common.
     *
     * @param setExists whether there is a set of that name, for the condition's message (rollout.md 16.2 G)
     */
    record Round(SidecarSet set, String latestRevision, Predicate<String> setExists, Instant now) {
    }

    private final PodWrites writes;
    private final RolloutOptions options;
    private final ReconcileMeters meters;
    private final Round round;

    PodTask(PodWrites writes, RolloutOptions options, ReconcileMeters meters, Round round) {
        this.writes = writes;
        this.options = options;
        this.meters = meters;
        this.round = round;
    }

    PodResult run(Decision decision) {
        try {
            return switch (decision) {
                case Decision.Upgrade upgrade -> upgrade(upgrade);
                case Decision.Flip flip -> write("flip", flip, pod -> Optional.of(writes.patch(pod.key(), body(pod))));
                case Decision.MarkNotUpgradable mark -> write("condition", mark, pod -> mark(pod, false));
                case Decision.MarkUpgradable mark -> write("condition", mark, pod -> mark(pod, true));
                case Decision.ReadLive read -> write("read", read, pod -> Optional.of(sameUid(pod, writes.read(pod.key()))));
            };
        } catch (RuntimeException e) {
            // A fault of ours with this one Pod; the others go on.
            LOG.atError().setCause(e).addKeyValue("sidecarSet", round.set.name()).addKeyValue("pod", decision.pod().key())
                    .log("Pod could not be handled");
            return PodResult.failed(decision, new Failure.Refused(String.valueOf(e.getMessage())));
        }
    }

    private String body(PodView pod) {
        return PodPatch.flip(round.set, pod, options, round.now);
    }

    /**
     * The Pod write comes first and counts by itself; a failing condition takes nothing back (rollout.md 9.8, 9.9; events.md 7.13). Its
     * condition, which must not overwrite anybody's (trap H), is decided for itself once the kubelet has answered the new image; with
     * faults kept it is written blindly and at once.
     */
    private PodResult upgrade(Decision.Upgrade upgrade) {
        tellDamage(upgrade.pod());
        PodResult written = write("upgrade", upgrade, pod -> {
            Map<String, String> annotations = round.set.patchPodMetadata().isEmpty() ? Map.of() : writes.readAnnotations(pod.key());
            return Optional.of(writes.patch(pod.key(),
                    PodPatch.upgrade(round.set, pod, annotations, round.latestRevision, options, round.now)));
        });
        if (written.answer().isEmpty() || options.fixesFaults()) {
            return written;
        }
        PodView upgraded = written.answer().get();
        PodResult marked = write("condition", new Decision.MarkUpgradable(upgraded), pod -> mark(pod, true));
        return new PodResult(upgrade, Optional.of(marked.answer().orElse(upgraded)), marked.failure());
    }

    /** rollout.md 16.2 M: there is no way to repair it. */
    private void tellDamage(PodView pod) {
        String text = pod.marks().raw().text(Wire.HASH);
        if (pod.marks().hashes().isEmpty() && HashAnnotation.of(text).form() == HashAnnotation.Form.DAMAGED) {
            LOG.atWarn().addKeyValue("sidecarSet", round.set.name()).addKeyValue("pod", pod.key()).addKeyValue("annotation", Wire.HASH)
                    .log("Annotation of a Pod is no JSON object and is written anew; the entries of other sets are lost");
        }
    }

    private Optional<PodView> mark(PodView pod, boolean upgradable) {
        return PodPatch.condition(round.set.name(), pod, upgradable, round.setExists, options, round.now)
                .map(body -> writes.patchStatus(pod.key(), body));
    }

    private static PodView sameUid(PodView wanted, PodView found) {
        if (!wanted.uid().equals(found.uid())) {
            throw new KubeException(404, "NotFound", true, "pod " + wanted.key() + " was replaced by another of the same name");
        }
        return found;
    }

    /** One request, counted; of a conflict the Pod is read live, so that the next decision rests on what is (rollout.md 16.2 K). */
    private PodResult write(String what, Decision decision, Function<PodView, Optional<PodView>> request) {
        try {
            Optional<PodView> answer = request.apply(decision.pod());
            answer.ifPresent(_ -> meters.write(what, "ok"));
            return answer.map(a -> PodResult.wrote(decision, a)).orElse(PodResult.unchanged(decision));
        } catch (OwnershipLostException _) {
            Failure lost = new Failure.Lost();
            meters.write(what, lost.word());
            return PodResult.failed(decision, lost);
        } catch (IllegalStateException e) {
            meters.write(what, "refused");
            return PodResult.failed(decision, new Failure.Refused(String.valueOf(e.getMessage())));
        } catch (KubeException e) {
            Failure failure = Failure.of(e);
            meters.write(what, failure.word());
            return PodResult.failed(decision, failure instanceof Failure.Conflict ? conflict(decision.pod()) : failure);
        }
    }

    private Failure conflict(PodView pod) {
        try {
            return new Failure.Conflict(Optional.of(sameUid(pod, writes.read(pod.key()))));
        } catch (KubeException e) {
            return e.isGone() ? new Failure.Gone() : new Failure.Conflict(Optional.empty());
        }
    }
}

package dev.pillion.admission;

import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Json;
import dev.pillion.api.PatchOp;
import dev.pillion.api.SetKey;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.InjectRequest;
import dev.pillion.inject.Injection;
import dev.pillion.inject.Injector;
import dev.pillion.inject.LiveAnswers;
import dev.pillion.inject.Moment;
import dev.pillion.inject.Needs;
import dev.pillion.inject.Reason;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.WebhookMeters;

import tools.jackson.databind.node.ObjectNode;

/** The Pod webhook: what the snapshot lacks is read live, then the injector decides (injection.md 3, trap 3). */
final class PodWebhook implements Webhook {
    private static final Logger LOG = LoggerFactory.getLogger(PodWebhook.class);

    /** What no Pod that the set selects gets past. */
    private static final Set<Reason> FAULTS_OF_SETS = EnumSet.of(Reason.REVISION_NOT_FOUND, Reason.REVISION_UNREADABLE,
            Reason.SELECTOR_FAULT, Reason.PARTITION_FAULT);

    /** Refused for the moment, for want of something that the index lacks. */
    private static final int UNREAD = 503;

    private final InjectOptions options;
    private final LiveReading reading;
    private final Supplier<Moment> moments;
    private final WebhookMeters meters;
    private final Refusals refusals;
    private final HoldBack holdBack;

    PodWebhook(InjectOptions options, LiveReads reads, Supplier<Moment> moments, WebhookMeters meters, Refusals refusals,
            HoldBack holdBack) {
        this.options = options;
        this.reading = new LiveReading(reads);
        this.moments = moments;
        this.meters = meters;
        this.refusals = refusals;
        this.holdBack = holdBack;
    }

    @Override
    public CompletionStage<Answer> review(Review review, SetIndex index) {
        if (!review.operation().equals("CREATE") || !review.subResource().isEmpty() || !review.resource().equals("pods")) {
            return CompletableFuture.completedStage(Answer.allow());
        }
        if (review.object().isEmpty()) {
            return CompletableFuture.completedStage(Answer.unreadable("the review has no Pod in request.object"));
        }
        ObjectNode pod = review.object().get();
        return holdBack.sets(index, () -> HoldBack.Place.of(pod, review.namespace())).thenCompose(sets -> judge(review, pod, sets));
    }

    private CompletionStage<Answer> judge(Review review, ObjectNode pod, SetIndex index) {
        InjectRequest request = new InjectRequest(review.operation(), review.subResource(), review.namespace(), review.name(), pod,
                review.oldObject().isPresent(), review.dryRun() == Review.DryRun.YES, LiveAnswers.NONE, moments.get());
        Injection injection = Injector.inject(request, index, options);
        // Most Pods need nothing live; asking first would cost each of them half an injection.
        Needs needs = injection instanceof Injection.Refuse refuse && refuse.code() == UNREAD
                ? Injector.needs(request, index, options)
                : Needs.NONE;
        if (needs.isEmpty()) {
            return CompletableFuture.completedStage(answer(review, injection, index));
        }
        return reading.read(needs).thenApply(read -> answer(review, Injector.inject(request.with(read), index, options), index));
    }

    private Answer answer(Review review, Injection injection, SetIndex index) {
        return switch (injection) {
            case Injection.Skip(String reason, List<String> warnings, _) -> count(review, "skipped", reason,
                    new Answer.Allow(List.of(), warnings));
            case Injection.Patch(List<PatchOp> ops, List<String> warnings, List<Injection.Verdict> verdicts) -> count(review, "patched",
                    isInjected(verdicts) ? "injected" : "no-sidecar", new Answer.Allow(ops, warnings));
            case Injection.Refuse refuse -> {
                LOG.atInfo().addKeyValue("namespace", review.namespace()).addKeyValue("pod", name(review))
                        .addKeyValue("reason", refuse.reason()).log("Pod refused");
                if (review.dryRun() == Review.DryRun.NO && FAULTS_OF_SETS.contains(Reason.of(refuse.reason()))) {
                    refuse.verdicts().stream().filter(v -> v.reason().equals(refuse.reason()))
                            .flatMap(v -> index.set(new SetKey(v.set())).stream()).forEach(set -> refusals.refused(set, refuse.message()));
                }
                OptionalInt retry = refuse.code() == 503 ? OptionalInt.of(1) : OptionalInt.empty();
                yield count(review, "refused", refuse.reason(),
                        new Answer.Deny(refuse.code(), statusReason(refuse.code()), refuse.message(), List.of(), retry, List.of()));
            }
        };
    }

    /** The API server has not made a name of generateName yet. */
    private static String name(Review review) {
        String base = review.object().map(pod -> Json.text(pod.path("metadata"), "generateName")).orElse("");
        return review.name().isEmpty() && !base.isEmpty() ? base + "*" : review.name();
    }

    private static boolean isInjected(List<Injection.Verdict> verdicts) {
        for (Injection.Verdict verdict : verdicts) {
            if (verdict.reason().equals("injected")) {
                return true;
            }
        }
        return false;
    }

    /** The reason of metav1.Status that belongs to a code. */
    private static String statusReason(int code) {
        return switch (code) {
            case 400 -> "BadRequest";
            case 422 -> "Invalid";
            case 503 -> "ServiceUnavailable";
            default -> "InternalError";
        };
    }

    private Answer count(Review review, String result, String reason, Answer answer) {
        switch (review.dryRun()) {
            case NO -> meters.injection(result, reason);
            case YES -> {
            }
        }
        return answer;
    }
}

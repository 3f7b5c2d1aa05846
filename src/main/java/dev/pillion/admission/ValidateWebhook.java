package dev.pillion.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import dev.pillion.api.Conversion;
import dev.pillion.api.InjectionStrategy.Pin;
import dev.pillion.api.MemberTable;
import dev.pillion.api.Revision;
import dev.pillion.api.SetKey;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.TypedDecode;
import dev.pillion.api.TypedDecode.Misfit;
import dev.pillion.api.Wire;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.RestoredSet;
import dev.pillion.revision.SetDefaults;
import dev.pillion.validate.AlphaWarnings;
import dev.pillion.validate.Fault;
import dev.pillion.validate.SetValidator;
import dev.pillion.validate.ValidateOptions;
import dev.pillion.validate.Validation;
import dev.pillion.validate.ValidationRequest;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.node.ObjectNode;

/** The validating SidecarSet webhook (validation.md 4, 11). */
final class ValidateWebhook implements Webhook {
    private final ValidateOptions options;
    private final String namespace;
    private final LiveReads reads;
    private final HoldBack holdBack;

    ValidateWebhook(ValidateOptions options, String namespace, LiveReads reads, HoldBack holdBack) {
        this.options = options;
        this.namespace = namespace;
        this.reads = reads;
        this.holdBack = holdBack;
    }

    @Override
    public CompletionStage<Answer> review(Review review, SetIndex index) {
        if (!Sets.isWrite(review)) {
            return CompletableFuture.completedStage(Answer.allow());
        }
        Optional<MemberTable> table = SetDefaults.table(review.kindVersion());
        if (table.isEmpty() || review.object().isEmpty()) {
            return refuse("the review has no SidecarSet of v1beta1 or v1alpha1 in request.object");
        }
        boolean isUpdate = review.operation().equals("UPDATE");
        Optional<Misfit> misfit = TypedDecode.checkSidecarSet(review.object().get(), table.get());
        if (misfit.isEmpty() && isUpdate && review.oldObject().isPresent()) {
            misfit = TypedDecode.checkSidecarSet(review.oldObject().get(), table.get());
        }
        if (misfit.isPresent()) {
            return refuse("the SidecarSet cannot be read: " + misfit.get().path() + " " + misfit.get().text());
        }
        Optional<ObjectNode> object = hub(review.object().get(), review);
        Optional<ObjectNode> old = isUpdate ? review.oldObject().flatMap(o -> hub(o, review)) : Optional.empty();
        return object.isEmpty()
                ? refuse("request.object is no SidecarSet of version " + review.kindVersion())
                : judge(object.get(), old, isUpdate ? Operation.UPDATE : Operation.CREATE, review, index);
    }

    private CompletionStage<Answer> judge(ObjectNode object, Optional<ObjectNode> old, Operation operation, Review review, SetIndex index) {
        Optional<Map<String, String>> configMap = index.whitelist().map(w -> Map.of(Wire.WHITELIST_KEY, w));
        SidecarSet set = SidecarSet.of(object);
        return pinned(set, index).thenCombine(base(set, index),
                (pinned, base) -> new ValidationRequest(operation, object, old, pinned, configMap, namespace, base))
                .handle((request, failure) -> failure == null
                        ? answer(review, SetValidator.validate(request, index, options))
                        : Answer.tryAgain("the pinned revision or the base set could not be read from the API server in time; try again"))
                .whenComplete((answer, _) -> {
                    if (answer instanceof Answer.Allow && review.dryRun() == Review.DryRun.NO) {
                        holdBack.admitted(set, old.map(SidecarSet::of));
                    }
                });
    }

    /** The base of a canary, live when the snapshot does not know it yet: both may have been created at once (validation.md trap 22). */
    private CompletionStage<Optional<SidecarSet>> base(SidecarSet set, SetIndex index) {
        Optional<String> unknown = set.canaryOf().filter(b -> index.set(new SetKey(b)).isEmpty());
        return unknown.isEmpty() ? CompletableFuture.completedStage(Optional.empty()) : reads.sidecarSet(unknown.get());
    }

    private static CompletionStage<Answer> refuse(String message) {
        return CompletableFuture.completedStage(Answer.unreadable(message));
    }

    /** The v1beta1 form; empty when the object's own version is not the request's. */
    private static Optional<ObjectNode> hub(ObjectNode object, Review review) {
        if (review.kindVersion().equals("v1beta1")) {
            return Optional.of(object);
        }
        return switch (Conversion.convert(object, Wire.V1BETA1, Conversion.Mode.LOSSLESS)) {
            case Conversion.Outcome.Converted(ObjectNode hub) -> Optional.of(hub);
            case Conversion.Outcome.Refused _ -> Optional.empty();
        };
    }

    /** Whether the revision that the set names exists; looked up in the snapshot, and by name also live. */
    private CompletionStage<Pinned> pinned(SidecarSet set, SetIndex index) {
        Optional<Pin> pin = set.injectionStrategy().pin();
        Optional<String> name = pin.flatMap(Pin::revisionName);
        if (name.isPresent()) {
            Optional<Revision> known = index.revision(name.get());
            return known.isPresent()
                    ? CompletableFuture.completedStage(found(set, known))
                    : reads.revision(name.get()).thenApply(r -> found(set, r));
        }
        Optional<String> version = pin.flatMap(Pin::customVersion);
        if (version.isEmpty()) {
            return CompletableFuture.completedStage(Pinned.FOUND);
        }
        Optional<Revision> known = index.revision(set.name(), version.get());
        return known.isPresent()
                ? CompletableFuture.completedStage(found(set, known))
                : reads.revisions(set.name(), version.get()).thenApply(all -> found(set, all.stream().max(SetIndex.REVISION_ORDER)));
    }

    private static Pinned found(SidecarSet set, Optional<Revision> revision) {
        if (revision.isEmpty()) {
            return Pinned.NOT_FOUND;
        }
        if (!set.name().equals(revision.get().labels().get(Wire.SET_NAME_LABEL))) {
            return Pinned.OF_ANOTHER_SET;
        }
        return RestoredSet.isRestorable(revision.get()) ? Pinned.FOUND : Pinned.NOT_RESTORABLE;
    }

    private static Answer answer(Review review, Validation validation) {
        List<Fault> faults = validation.faults().stream().distinct().toList();
        List<String> warnings = new ArrayList<>(review.object().map(AlphaWarnings::of).orElse(List.of()));
        warnings.addAll(validation.warnings());
        if (faults.isEmpty()) {
            return new Answer.Allow(List.of(), warnings);
        }
        String name = review.name().isEmpty() ? "" : " \"" + review.name() + "\"";
        String message = "SidecarSet" + name + " is invalid: "
                + faults.stream().map(f -> f.field() + ": " + f.text()).collect(Collectors.joining("; "));
        List<Answer.Cause> causes = faults.stream().map(f -> new Answer.Cause(f.kind().word(), f.field(), f.text())).toList();
        return new Answer.Deny(422, "Invalid", message, causes, OptionalInt.empty(), warnings);
    }
}

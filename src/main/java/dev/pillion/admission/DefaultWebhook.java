package dev.pillion.admission;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.pillion.match.SetIndex;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;

/** The mutating SidecarSet webhook: defaults and hashes (validation.md 3). */
final class DefaultWebhook implements Webhook {
    @Override
    public CompletionStage<Answer> review(Review review, SetIndex index) {
        return CompletableFuture.completedStage(answer(review));
    }

    private static Answer answer(Review review) {
        if (!Sets.isWrite(review)) {
            return Answer.allow();
        }
        if (review.object().isEmpty()) {
            return Answer.unreadable("the review has no SidecarSet in request.object");
        }
        return switch (SetDefaults.apply(review.object().get(), review.kindVersion(), review.operation(), SetDefaults.Unknown.KEEP)) {
            case Defaulting.Unchanged _ -> Answer.allow();
            case Defaulting.Patch(var operations, _) -> new Answer.Allow(operations, List.of());
            case Defaulting.Refuse(int code, String message) ->
                new Answer.Deny(code, "BadRequest", message, List.of(), OptionalInt.empty(), List.of());
        };
    }
}

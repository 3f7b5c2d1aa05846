package dev.pillion.admission;

import java.util.concurrent.CompletionStage;

import dev.pillion.match.SetIndex;

/** One admission webhook: a function of the review and the snapshot. May read live, never blocks; always completes, normally with an answer. */
interface Webhook {
    CompletionStage<Answer> review(Review review, SetIndex index);
}

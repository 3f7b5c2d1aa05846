package dev.pillion.admission;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.admission.ReviewCodec.Decoded;
import dev.pillion.api.TypedReader;
import dev.pillion.inject.Moment;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.WebhookMeters;

/**
 * All webhooks by their path (injection.md 1.1): bytes in, bytes out. Every input gets an answer and nothing throws; a fault of the
 * program becomes a denial 500 and one log entry. Safe for all threads.
 */
public final class Webhooks {
    static final String PODS = "/mutate-pod";
    static final String SET_DEFAULTS = "/mutate-apps-kruise-io-sidecarset";
    static final String SET_RULES = "/validate-apps-kruise-io-sidecarset";
    static final String CONVERT = "/convert";
    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

    private final Map<String, Webhook> byPath;
    private final Runnable onNewIndex;
    private final TypedReader pods = ReviewCodec.podReader();

    /** All webhooks; moments are taken once per Pod, on whatever thread. */
    public Webhooks(WebhookOptions options, LiveReads reads, Supplier<Moment> moments, WebhookMeters meters, Refusals refusals,
            HoldBack holdBack) {
        this(Map.of(PODS, new PodWebhook(options.inject(), reads, moments, meters, refusals, holdBack), SET_DEFAULTS, new DefaultWebhook(),
                SET_RULES, new ValidateWebhook(options.validate(), options.namespace(), reads, holdBack)), holdBack::published);
    }

    Webhooks(Map<String, Webhook> byPath) {
        this(byPath, () -> {
        });
    }

    private Webhooks(Map<String, Webhook> byPath, Runnable onNewIndex) {
        this.byPath = Map.copyOf(byPath);
        this.onNewIndex = onNewIndex;
    }

    /** To be called after each new index. */
    void published() {
        onNewIndex.run();
    }

    boolean serves(String path) {
        return path.equals(CONVERT) || byPath.containsKey(path);
    }

    /**
     * Answers a request to a path that is served. Completes normally, always.
     *
     * @param index empty before the first lists are complete: then nothing can be judged, and a Pod let through now would stay bare
     */
    CompletionStage<Reply> answer(String path, byte[] body, Optional<SetIndex> index) {
        if (path.equals(CONVERT)) {
            return CompletableFuture.completedStage(convert(body));
        }
        return switch (path.equals(PODS) ? ReviewCodec.decodePod(body, pods) : ReviewCodec.decode(body)) {
            case Decoded.Unread(String apiVersion, String uid, String why) -> {
                LOG.atDebug().addKeyValue("webhook", path).addKeyValue("reason", why).log("Unreadable review refused");
                yield CompletableFuture.completedStage(reply(apiVersion, uid, Answer.unreadable(why)));
            }
            case Decoded.Read(Review review) -> {
                CompletionStage<Answer> answer = index.isPresent()
                        ? review(path, review, index.get())
                        : CompletableFuture.completedStage(
                                Answer.tryAgain("Pillion has just started and does not know all SidecarSets yet; try again"));
                yield answer.thenApply(a -> new Reply(ReviewCodec.encode(review, a), code(a)));
            }
        };
    }

    private static Reply convert(byte[] body) {
        try {
            return ConversionCodec.answer(body);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().addKeyValue("webhook", CONVERT).setCause(e).log("Conversion failed");
            return ConversionCodec.fault(body);
        }
    }

    private CompletionStage<Answer> review(String path, Review review, SetIndex index) {
        Webhook webhook = byPath.get(path);
        if (webhook == null) {
            throw new IllegalArgumentException("no webhook at " + path);
        }
        try {
            return webhook.review(review, index).exceptionally(e -> fault(path, review, e));
        } catch (RuntimeException | StackOverflowError e) {
            return CompletableFuture.completedStage(fault(path, review, e));
        }
    }

    private static Answer fault(String path, Review review, Throwable e) {
        LOG.atError().addKeyValue("webhook", path).addKeyValue("uid", review.uid()).addKeyValue("namespace", review.namespace())
                .addKeyValue("name", review.name()).setCause(e).log("Review failed");
        return Answer.fault();
    }

    /** The answer of one that took too long. */
    Reply late(String path, byte[] body) {
        Answer.Deny deny = Answer.tryAgain("Pillion did not get what it needs to judge this in time; try again");
        return switch (ReviewCodec.decode(body)) {
            case Decoded.Unread(String apiVersion, String uid, _) -> reply(apiVersion, uid, deny);
            case Decoded.Read(Review review) -> {
                LOG.atWarn().addKeyValue("webhook", path).addKeyValue("uid", review.uid()).log("Review took too long");
                yield new Reply(ReviewCodec.encode(review, deny), deny.code());
            }
        };
    }

    private static Reply reply(String apiVersion, String uid, Answer answer) {
        return new Reply(ReviewCodec.encode(apiVersion, uid, answer), code(answer));
    }

    private static int code(Answer answer) {
        return switch (answer) {
            case Answer.Allow _ -> 200;
            case Answer.Deny deny -> deny.code();
        };
    }
}

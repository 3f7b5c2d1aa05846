package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.pillion.sandbox.AdmissionAttributes.Persistence;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Admission by the webhooks of stored configurations.
 * Mutating ones are called one after the other in the order of configuration names, each on the object the one before left, defaulted again;
 * when one changed something, those before it that ask for reinvocation are called a second time, once. Validating ones are called all at the
 * same time; the first refusal in their order is the answer. matchConditions (CEL) are not evaluated: such a webhook is called for all its rules match.
 */
final class WebhookAdmission implements AdmissionChain {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookAdmission.class);
    private static final String GROUP = "admissionregistration.k8s.io";
    private final ObjectStore store;
    private final TypeRegistry registry;
    private final WebhookCalls calls;
    private final Configurations mutating = new Configurations("mutatingwebhookconfigurations." + GROUP);
    private final Configurations validating = new Configurations("validatingwebhookconfigurations." + GROUP);

    /** Parsed configurations, kept as long as the stored ones are the same. */
    private final class Configurations {
        private final String shelf;
        private volatile List<Stored> known = List.of();
        private volatile List<Webhook> webhooks = List.of();

        Configurations(String shelf) {
            this.shelf = shelf;
        }

        synchronized List<Webhook> now() {
            List<Stored> stored = store.list(shelf, "").objects();
            if (!stored.equals(known)) {
                webhooks = Webhook.of(stored);
                known = stored;
            }
            return webhooks;
        }
    }

    /** What the reinvocation of one write depends on. */
    private static final class Invocations {
        private final Set<String> reinvocable = new HashSet<>();
        private final Set<String> again = new HashSet<>();

        void changed() {
            again.addAll(reinvocable);
            reinvocable.clear();
        }
    }

    WebhookAdmission(ObjectStore store, TypeRegistry registry, WebhookCalls calls) {
        this.store = store;
        this.registry = registry;
        this.calls = calls;
    }

    @Override
    public ObjectNode mutate(AdmissionAttributes write) {
        if (isExempt(write)) {
            return write.objectOrEmpty();
        }
        List<Webhook> webhooks = mutating.now();
        Invocations invocations = new Invocations();
        AdmissionAttributes current = write;
        for (Webhook webhook : webhooks) {
            current = mutate(webhook, current, invocations);
        }
        Set<String> again = Set.copyOf(invocations.again);
        for (Webhook webhook : webhooks) {
            if (again.contains(webhook.id())) {
                current = mutate(webhook, current, invocations);
            }
        }
        return current.objectOrEmpty();
    }

    @Override
    public void validate(AdmissionAttributes write) {
        if (isExempt(write)) {
            return;
        }
        List<Callable<Optional<ApiError>>> wanted = new ArrayList<>();
        for (Webhook webhook : validating.now()) {
            webhook.wants(write, namespaceLabels(write)).ifPresent(version -> wanted.add(() -> refusal(webhook, write, version)));
        }
        if (wanted.isEmpty()) {
            return;
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Optional<ApiError>> answer : threads.invokeAll(wanted)) {
                Optional<ApiError> refusal = answer.get();
                if (refusal.isPresent()) {
                    throw refusal.get();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiError.internal("interrupted");
        } catch (ExecutionException e) {
            throw ApiError.internal(String.valueOf(e.getMessage()));
        }
    }

    private AdmissionAttributes mutate(Webhook webhook, AdmissionAttributes write, Invocations invocations) {
        Optional<String> version = webhook.wants(write, namespaceLabels(write));
        if (version.isEmpty()) {
            return write;
        }
        Optional<ObjectNode> changed = call(webhook, write, version.get()).flatMap(answer -> patched(write, version.get(), answer));
        AdmissionAttributes next = write;
        if (changed.isPresent() && !changed.get().equals(write.object())) {
            invocations.changed();
            next = write.withObject(changed.get());
        }
        if (webhook.wantsReinvocation()) {
            invocations.reinvocable.add(webhook.id());
        }
        return next;
    }

    private Optional<ApiError> refusal(Webhook webhook, AdmissionAttributes write, String version) {
        try {
            call(webhook, write, version);
            return Optional.empty();
        } catch (ApiError refusal) {
            return Optional.of(refusal);
        }
    }

    /** Answers what the webhook said when it allowed the write; empty when it failed and may. Throws the refusal. */
    private Optional<AdmissionReviews.Answer> call(Webhook webhook, AdmissionAttributes write, String version) {
        if (write.persistence() == Persistence.DRY_RUN && !webhook.allowsDryRun()) {
            throw ApiError.badRequest("admission webhook \"" + webhook.name() + "\" does not support dry run");
        }
        String uid = UUID.randomUUID().toString();
        ObjectNode review = AdmissionReviews.request(webhook, write, version, converted(write, write.object(), version),
                converted(write, write.oldObject(), version), uid);
        AdmissionReviews.Answer answer;
        try {
            ObjectNode response = post(webhook, review);
            answer = AdmissionReviews.answer(webhook, response, uid);
        } catch (WebhookCalls.Failed e) {
            String text = "failed calling webhook \"" + webhook.name() + "\": " + e.text();
            if (webhook.failsOpen()) {
                LOG.atWarn().addKeyValue("webhook", webhook.name()).addKeyValue("reason", e.text())
                        .log("Webhook failed, its policy lets the write pass");
                return Optional.empty();
            }
            throw ApiError.internal(text);
        }
        answer.warnings().forEach(write.warnings());
        if (!answer.allowed()) {
            throw denied(webhook, answer.status());
        }
        return Optional.of(answer);
    }

    private ObjectNode post(Webhook webhook, ObjectNode review) throws WebhookCalls.Failed {
        try {
            return calls.post(WebhookTarget.of(webhook.config().path("clientConfig"), store), review, webhook.timeout());
        } catch (WebhookCalls.Failed e) {
            throw new WebhookCalls.Failed("failed to call webhook: " + e.text().replace("{timeout}", webhook.timeout().toSeconds() + "s"));
        }
    }

    /** Applies the patch in the version the webhook saw, fills in defaults and answers the object in the request's version. */
    private Optional<ObjectNode> patched(AdmissionAttributes write, String version, AdmissionReviews.Answer answer) {
        ObjectNode object = converted(write, write.object(), version);
        if (answer.patch().isEmpty() || object == null) {
            return Optional.empty();
        }
        try {
            if (!(JsonPatch.apply(object, answer.patch().get()) instanceof ObjectNode changed)) {
                throw ApiError.internal("the patched object is no object");
            }
            Decoder.tidy(write.type(), changed);
            TypeRules rules = rules(write);
            rules.applySchema(changed, version);
            rules.applyDefaults(changed, version);
            return Optional.ofNullable(converted(write, changed, version, write.version()));
        } catch (ApiError e) {
            // A patch that does not fit is the webhook's fault, not the writer's, and no failurePolicy hides it.
            throw e.code() == 500 ? e : ApiError.internal(e.text());
        }
    }

    private @Nullable ObjectNode converted(AdmissionAttributes write, @Nullable ObjectNode object, String version) {
        return converted(write, object, write.version(), version);
    }

    private @Nullable ObjectNode converted(AdmissionAttributes write, @Nullable ObjectNode object, String from, String to) {
        if (object == null || from.equals(to)) {
            return object;
        }
        TypeRules rules = rules(write);
        ObjectNode stored = rules.toStored(write.type(), object.deepCopy(), from);
        return rules.fromStored(write.type(), List.of(stored), to).getFirst();
    }

    private TypeRules rules(AdmissionAttributes write) {
        return registry.find(write.type().qualifiedName()).map(TypeRegistry.Served::rules).orElse(TypeRules.PLAIN);
    }

    private Map<String, String> namespaceLabels(AdmissionAttributes write) {
        if (Webhook.isNamespace(write) && write.object() != null) {
            return Webhook.labels(write.object());
        }
        String name = Webhook.isNamespace(write) ? write.name() : write.namespace();
        return store.get("namespaces", name).map(Stored::labels).orElse(Map.of());
    }

    /** The configurations themselves pass no webhook, so a broken one can always be mended. */
    private static boolean isExempt(AdmissionAttributes write) {
        return write.type().group().equals(GROUP);
    }

    private static ApiError denied(Webhook webhook, JsonNode status) {
        String by = "admission webhook \"" + webhook.name() + "\" denied the request";
        String message = Trees.text(status, "message");
        String reason = Trees.text(status, "reason");
        String text = !message.isEmpty() ? by + ": " + message : !reason.isEmpty() ? by + ": " + reason : by + " without explanation";
        int code = (int) Math.max(400, Trees.number(status.path("code"), 0));
        return status.path("details") instanceof ObjectNode details
                ? ApiError.of(code, reason, text, details)
                : ApiError.of(code, reason, text);
    }
}

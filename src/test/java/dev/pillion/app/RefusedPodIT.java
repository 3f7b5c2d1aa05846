package dev.pillion.app;

import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.TestWebhook;

import tools.jackson.databind.node.ObjectNode;

/** A webhook of somebody else refuses to let one Pod be updated, in every way a webhook can (rollout.md 12.5, 16.2 I). */
@OnEveryCluster
final class RefusedPodIT {
    private static final String HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    private static final String DENIED = "the budget of \"b\" is used up";

    private final Cluster cluster;

    RefusedPodIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void theOthersGoOnAndItIsTriedAgain() throws Exception {
        AtomicReference<ObjectNode> answer = new AtomicReference<>(TestWebhook.deny(403, "Forbidden", DENIED));
        try (RunningCluster running = RunningCluster.start(cluster);
                TestWebhook webhook = new TestWebhook(
                        r -> Json.text(r, "name").equals("b") ? answer.get().deepCopy() : TestWebhook.allow())) {
            Trial trial = running.trial("refused");
            trial.create(Trial.agent("v1", "{\"maxUnavailable\":1}"));
            trial.pods("a", "b", "c", "d");
            trial.awaitStatus("4/4/4/4");
            register(running, trial, webhook);

            trial.roll("v2");
            trial.finish("a", "c", "d");
            Eventually.until("the Pod's event says why", () -> trial.events("b"),
                    e -> e.size() == 1 && e.getFirst().startsWith("SidecarUpdateFailed: ") && e.getFirst().contains(DENIED));
            Eventually.until("the set's event says whom", trial::events, e -> e.size() == 1
                    && e.getFirst().startsWith("RolloutBlocked: 1 pod waits (" + trial.namespace() + "/b): the API server refused"));

            // In words that mean something else when the store says them: not found, conflict, too many requests, broken.
            for (int code : new int[]{404, 409, 429, 500}) {
                answer.set(TestWebhook.deny(code, "", "code " + code));
                trial.roll("v" + code);
                trial.finish("a", "c", "d");
                Eventually.until("its reason is told", () -> trial.events("b"), e -> e.toString().contains("code " + code));
            }
            // It does not answer at all, and the policy is Fail.
            answer.set(Json.object().put("http", 503));
            trial.roll("v503");
            trial.finish("a", "c", "d");
            Eventually.until("its reason is told", () -> trial.events("b"), e -> e.toString().contains("failed calling webhook"));
            trial.assertLimitKept();

            answer.set(TestWebhook.allow());
            trial.roll("v3");
            trial.finish("a", "b", "c", "d");
        }
    }

    private static void register(RunningCluster running, Trial trial, TestWebhook webhook) {
        running.post(HOOKS, """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"pub"},
                 "webhooks":[{"name":"pub.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"failurePolicy":"Fail",
                  "clientConfig":{"url":"%s","caBundle":"%s"},
                  "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"%s"}},
                  "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["UPDATE"],"resources":["pods"]}]}]}""".formatted(
                webhook.url("/validate"), webhook.caBundle(), trial.namespace()));
        Eventually.until("the webhook is asked", () -> {
            trial.annotate("a", "example.com/probe", Long.toString(System.nanoTime()));
            return !webhook.reviews().isEmpty();
        });
    }
}

package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import tools.jackson.databind.JsonNode;

/** Which writes reach a webhook, in which version and by which address. */
@OnEveryCluster
final class WebhookReachIT {
    private static final String GROUP = "reach.pillion.test";
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private final KubernetesClient client;
    private final RawHttp http;

    WebhookReachIT(Cluster cluster) {
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void serve() {
        Definitions.serve(http, GROUP, "");
    }

    @AfterEach
    void close() {
        http.delete(CONFIGURATIONS);
        client.close();
    }

    @Test
    void seesTheVersionItsRuleNames() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.patch("[{\"op\":\"replace\",\"path\":\"/spec/size\",\"value\":5}]"))) {
            register("a", "v1alpha1", "widgets", "", address(webhook));
            probe(webhook);

            RawHttp.Answer answer = http.post(path("v1", ""), Definitions.widget(GROUP, "v1", "a", "{\"size\":1}"));

            assertThat(answer.code()).as(answer.message()).isEqualTo(201);
            assertThat(answer.body().at("/spec/size").intValue()).isEqualTo(5);
            assertThat(answer.body().path("apiVersion").stringValue()).isEqualTo(GROUP + "/v1");
            JsonNode request = webhook.reviews().getLast().path("request");
            assertThat(request.at("/object/apiVersion").stringValue()).isEqualTo(GROUP + "/v1alpha1");
            assertThat(request.at("/kind/version").stringValue()).isEqualTo("v1alpha1");
            assertThat(request.at("/requestKind/version").stringValue()).isEqualTo("v1");
            assertThat(request.at("/requestResource/version").stringValue()).isEqualTo("v1");
            http.delete(path("v1", "/a"));
        }
    }

    @Test
    void exactMatchLeavesOtherVersionsAlone() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            register("a", "v1alpha1", "widgets", "\"matchPolicy\":\"Exact\",", address(webhook));
            probe(webhook);
            int before = webhook.reviews().size();

            http.post(path("v1", "?dryRun=All"), Definitions.widget(GROUP, "v1", "b", "{\"size\":1}"));

            assertThat(webhook.reviews()).hasSize(before);
        }
    }

    @Test
    void statusIsAResourceOfItsOwn() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            http.post(path("v1", ""), Definitions.widget(GROUP, "v1", "c", "{\"size\":1}"));
            register("a", "v1", "widgets/status", "", address(webhook));
            Eventually.until("status writes are reviewed", () -> {
                http.merge(path("v1", "/c/status?dryRun=All"), "{\"status\":{\"ready\":1}}");
                return !webhook.reviews().isEmpty();
            });
            int before = webhook.reviews().size();

            http.merge(path("v1", "/c"), "{\"spec\":{\"size\":2}}");

            assertThat(webhook.reviews()).hasSize(before);
            assertThat(webhook.reviews().getLast().at("/request/subResource").stringValue()).isEqualTo("status");
            assertThat(webhook.reviews().getLast().at("/request/requestSubResource").stringValue()).isEqualTo("status");
            http.delete(path("v1", "/c"));
        }
    }

    @Test
    void aServiceWithAnExternalNameIsCalledUnderItsOwnName() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            http.post("/api/v1/namespaces/default/services",
                    """
                            {"apiVersion":"v1","kind":"Service","metadata":{"name":"hook"},"spec":{"type":"ExternalName","externalName":"localhost"}}""");
            register("a", "v1alpha1", "widgets", "",
                    "\"service\":{\"name\":\"hook\",\"namespace\":\"default\",\"path\":\"/x\",\"port\":" + webhook.port() + "}"
                            + ",\"caBundle\":\"" + webhook.caBundle() + "\"");

            probe(webhook);

            http.delete("/api/v1/namespaces/default/services/hook");
        }
    }

    @Test
    void aSlowWebhookIsLeftAfterItsTimeout() {
        try (TestWebhook webhook = new TestWebhook(request -> {
            if (request.at("/object/spec/size").intValue(0) == 9) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
            }
            return TestWebhook.allow();
        })) {
            register("a", "v1alpha1", "widgets", "\"timeoutSeconds\":1,", address(webhook));
            probe(webhook);

            RawHttp.Answer answer = http.post(path("v1", ""), Definitions.widget(GROUP, "v1", "d", "{\"size\":9}"));

            assertThat(answer.code()).isEqualTo(500);
            assertThat(answer.message())
                    .isEqualTo("Internal error occurred: failed calling webhook \"a.pillion.test\": failed to call webhook: Post \""
                            + webhook.url("/x") + "?timeout=1s\": context deadline exceeded");
        }
    }

    @Test
    void aRefusalKeepsItsDetails() {
        try (TestWebhook webhook = new TestWebhook(request -> {
            if (request.at("/object/spec/size").intValue(0) != 8) {
                return TestWebhook.allow();
            }
            var response = TestWebhook.deny(503, "ServiceUnavailable", "not now");
            response.withObject("/status").putObject("details").put("retryAfterSeconds", 7).putArray("causes").addObject()
                    .put("reason", "FieldValueInvalid")
                    .put("field", "spec.size").put("message", "bad");
            return response;
        })) {
            register("a", "v1alpha1", "widgets", "", address(webhook));
            probe(webhook);

            RawHttp.Answer answer = http.post(path("v1", ""), Definitions.widget(GROUP, "v1", "e", "{\"size\":8}"));

            assertThat(answer.code()).isEqualTo(503);
            assertThat(answer.body().at("/details/retryAfterSeconds").intValue()).isEqualTo(7);
            assertThat(answer.causes()).containsExactly("FieldValueInvalid spec.size: bad");
            assertThat(answer.retryAfter()).isEqualTo("7");
        }
    }

    /** Waits until the webhook reviews writes in v1alpha1. */
    private void probe(TestWebhook webhook) {
        Eventually.until("the webhook is called", () -> {
            http.post(path("v1alpha1", "?dryRun=All"), Definitions.widget(GROUP, "v1alpha1", "probe", "{\"size\":1}"));
            return !webhook.reviews().isEmpty();
        });
    }

    private static String address(TestWebhook webhook) {
        return "\"url\":\"" + webhook.url("/x") + "\",\"caBundle\":\"" + webhook.caBundle() + "\"";
    }

    private void register(String name, String version, String resource, String more, String address) {
        RawHttp.Answer answer = http.post(CONFIGURATIONS, """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"%s"},
                 "webhooks":[{"name":"%s.pillion.test","sideEffects":"None","admissionReviewVersions":["v1"],%s"clientConfig":{%s},
                   "rules":[{"operations":["*"],"apiGroups":["%s"],"apiVersions":["%s"],"resources":["%s"],"scope":"Cluster"}]}]}"""
                .formatted(name, name, more, address, GROUP, version, resource));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private static String path(String version, String rest) {
        return "/apis/" + GROUP + "/" + version + "/widgets" + rest;
    }
}

package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Admission webhooks as a writer and a webhook see them. */
@OnEveryCluster
final class WebhooksIT {
    private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
    private final Cluster cluster;
    private final KubernetesClient client;
    private final RawHttp http;
    private String namespace = "";

    WebhooksIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void namespace() {
        namespace = cluster.newNamespace("webhooks");
    }

    @AfterEach
    void close() {
        for (String kind : new String[]{"mutating", "validating"}) {
            http.delete(REGISTRATION + kind + "webhookconfigurations");
        }
        client.close();
    }

    @Test
    void mutatesValidatesAndShowsTheRequest() {
        try (TestWebhook mutating = new TestWebhook(_ -> TestWebhook.patch("[{\"op\":\"add\",\"path\":\"/data/added\",\"value\":\"1\"}]"));
                TestWebhook validating = new TestWebhook(_ -> TestWebhook.allow())) {
            register("mutating", "a", mutating, "");
            register("validating", "a", validating, "");

            RawHttp.Answer answer = created("{\"given\":\"2\"}");

            assertThat(answer.body().at("/data/added").stringValue("")).isEqualTo("1");
            JsonNode seen = last(mutating).path("request");
            assertThat(last(mutating).path("apiVersion").stringValue("")).isEqualTo("admission.k8s.io/v1");
            assertThat(seen.path("kind").toString()).isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
            assertThat(seen.path("resource").toString()).isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"resource\":\"configmaps\"}");
            assertThat(seen.path("requestKind")).isEqualTo(seen.path("kind"));
            assertThat(seen.path("operation").stringValue("")).isEqualTo("CREATE");
            assertThat(seen.path("namespace").stringValue("")).isEqualTo(namespace);
            assertThat(seen.path("name").stringValue("")).isEqualTo("a");
            assertThat(seen.path("dryRun").booleanValue(true)).isFalse();
            assertThat(seen.path("oldObject").isNull()).isTrue();
            assertThat(seen.at("/options/kind").stringValue("")).isEqualTo("CreateOptions");
            assertThat(seen.at("/options/apiVersion").stringValue("")).isEqualTo("meta.k8s.io/v1");
            assertThat(seen.at("/userInfo/username").stringValue("")).isEqualTo("admin");
            assertThat(seen.at("/object/metadata/uid").isMissingNode()).isTrue();
            assertThat(last(validating).at("/request/object/data/added").stringValue("")).isEqualTo("1");
            assertThat(last(validating).at("/request/object/metadata/uid").stringValue("")).isNotEmpty();
        }
    }

    @Test
    void deniesInTheWordsOfTheWebhook() {
        denial(TestWebhook.deny(422, "Invalid", "no such colour"), 422, "Invalid",
                "admission webhook \"a.pillion.test\" denied the request: no such colour");
        denial(TestWebhook.deny(0, "Strange", ""), 400, "Strange", "admission webhook \"a.pillion.test\" denied the request: Strange");
        ObjectNode silent = TestWebhook.allow().put("allowed", false);
        denial(silent, 400, "", "admission webhook \"a.pillion.test\" denied the request without explanation");
        denial(TestWebhook.deny(200, "", "odd code"), 400, "", "admission webhook \"a.pillion.test\" denied the request: odd code");
    }

    private void denial(ObjectNode response, int code, String reason, String message) {
        try (TestWebhook webhook = new TestWebhook(_ -> response.deepCopy())) {
            register("validating", "a", webhook, "");

            RawHttp.Answer answer = create("{}");

            assertThat(answer.message()).isEqualTo(message);
            assertThat(answer.code()).isEqualTo(code);
            assertThat(answer.reason()).isEqualTo(reason);
            http.delete(REGISTRATION + "validatingwebhookconfigurations/a");
        }
    }

    @Test
    void handsWarningsToTheWriter() {
        try (TestWebhook webhook = new TestWebhook(_ -> {
            ObjectNode response = TestWebhook.allow();
            response.putArray("warnings").add("mind the gap");
            return response;
        })) {
            register("validating", "a", webhook, "");

            RawHttp.Answer answer = created("{}");

            assertThat(answer.warnings()).containsExactly("299 - \"mind the gap\"");
        }
    }

    @Test
    void failurePolicyDecidesAboutBrokenWebhooks() {
        String called = "Internal error occurred: failed calling webhook \"a.pillion.test\": ";
        failure(_ -> TestWebhook.allow().put("http", 404),
                called + "failed to call webhook: the server could not find the requested resource");
        failure(_ -> TestWebhook.allow().put("http", 503),
                called + "failed to call webhook: the server is currently unable to handle the request");
        failure(_ -> TestWebhook.allow().put("http", 500),
                called + "failed to call webhook: an error on the server (\"no\") has prevented the request from succeeding");
        failure(_ -> TestWebhook.allow().put("uid", "other"), called + "received invalid webhook response: expected response.uid=");
        failure(_ -> TestWebhook.allow().put("patch", "W10="),
                called + "received invalid webhook response: webhook returned response.patch but not response.patchType");
    }

    private void failure(UnaryOperator<ObjectNode> response, String message) {
        try (TestWebhook webhook = new TestWebhook(response)) {
            register("mutating", "a", webhook, "");

            RawHttp.Answer closed = create("{}");

            assertThat(closed.code()).isEqualTo(500);
            assertThat(closed.reason()).isEqualTo("InternalError");
            assertThat(closed.message()).startsWith(message);
            register("mutating", "a", webhook, "\"failurePolicy\":\"Ignore\",");
            created("{}");
            http.delete(path());
            http.delete(REGISTRATION + "mutatingwebhookconfigurations/a");
        }
    }

    @Test
    void aClosedPortAndATimeoutAreNamed() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            String url = webhook.url("/x");
            webhook.stop();
            register("mutating", "a", webhook, "");

            RawHttp.Answer answer = create("{}");

            assertThat(answer.message())
                    .isEqualTo("Internal error occurred: failed calling webhook \"a.pillion.test\": failed to call webhook: Post \"" + url
                            + "?timeout=5s\": dial tcp 127.0.0.1:" + webhook.port() + ": connect: connection refused");
        }
    }

    @Test
    void aForeignAuthorityIsRefused() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow());
                TestWebhook other = new TestWebhook(_ -> TestWebhook.allow())) {
            String body = configuration("Mutating", "a", webhook.url("/x"), other.caBundle(), "");
            write("mutating", "a", body);

            RawHttp.Answer answer = create("{}");

            assertThat(answer.code()).isEqualTo(500);
            assertThat(answer.message()).contains("failed calling webhook", "tls: failed to verify certificate: x509:");
            assertThat(webhook.reviews()).isEmpty();
        }
    }

    @Test
    void selectorsRulesAndScopesChoose() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            register("validating", "a", webhook, "\"namespaceSelector\":{\"matchLabels\":{\"on\":\"yes\"}},"
                    + "\"objectSelector\":{\"matchExpressions\":[{\"key\":\"skip\",\"operator\":\"DoesNotExist\"}]},");
            created("{}");
            assertThat(webhook.reviews()).isEmpty();
            client.namespaces().withName(namespace).edit(n -> {
                n.getMetadata().getLabels().put("on", "yes");
                return n;
            });
            int before = webhook.reviews().size();
            Eventually.until("the namespace's label is seen", () -> {
                http.delete(path());
                created("{}");
                return webhook.reviews().size() > before;
            });
            http.delete(path());
            int counted = webhook.reviews().size();
            assertThat(http
                    .post(path(""),
                            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"labels\":{\"skip\":\"1\"}}}")
                    .code())
                    .isEqualTo(201);
            assertThat(webhook.reviews()).hasSize(counted);
        }
    }

    @Test
    void reinvokesOnceWhenALaterWebhookChangedTheObject() {
        AtomicInteger calls = new AtomicInteger();
        try (TestWebhook first = new TestWebhook(request -> {
            calls.incrementAndGet();
            return TestWebhook.patch(
                    "[{\"op\":\"add\",\"path\":\"/data/seen\",\"value\":\"" + request.at("/object/data/second").stringValue("no") + "\"}]");
        });
                TestWebhook second = new TestWebhook(
                        _ -> TestWebhook.patch("[{\"op\":\"add\",\"path\":\"/data/second\",\"value\":\"yes\"}]"))) {
            register("mutating", "a", first, "\"reinvocationPolicy\":\"IfNeeded\",");
            register("mutating", "b", second, "");

            int before = calls.get();
            RawHttp.Answer answer = created("{\"k\":\"v\"}");

            assertThat(answer.body().at("/data/seen").stringValue("")).isEqualTo("yes");
            assertThat(calls.get() - before).isEqualTo(2);
        }
    }

    @Test
    void dryRunIsOnlyForWebhooksWithoutSideEffects() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            register("validating", "a", webhook, "");

            RawHttp.Answer answer = http.post(path("?dryRun=All"), body("{}"));

            assertThat(answer.code()).isEqualTo(201);
            assertThat(last(webhook).at("/request/dryRun").booleanValue(false)).isTrue();
            assertThat(http.get(path()).code()).isEqualTo(404);
        }
    }

    @Test
    void updatesAndDeletesCarryTheOldObject() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.allow())) {
            register("validating", "a", webhook, "");
            created("{\"k\":\"1\"}");

            http.merge(path(), "{\"data\":{\"k\":\"2\"}}");

            assertThat(last(webhook).at("/request/operation").stringValue("")).isEqualTo("UPDATE");
            assertThat(last(webhook).at("/request/oldObject/data/k").stringValue("")).isEqualTo("1");
            assertThat(last(webhook).at("/request/object/data/k").stringValue("")).isEqualTo("2");
            assertThat(last(webhook).at("/request/options/kind").stringValue("")).isEqualTo("UpdateOptions");

            http.delete(path());

            assertThat(last(webhook).at("/request/operation").stringValue("")).isEqualTo("DELETE");
            assertThat(last(webhook).at("/request/object").isNull()).isTrue();
            assertThat(last(webhook).at("/request/oldObject/data/k").stringValue("")).isEqualTo("2");
            assertThat(last(webhook).at("/request/options/kind").stringValue("")).isEqualTo("DeleteOptions");
        }
    }

    @Test
    void aPatchThatDoesNotFitFailsTheWriteWhateverThePolicy() {
        try (TestWebhook webhook = new TestWebhook(_ -> TestWebhook.patch("[{\"op\":\"remove\",\"path\":\"/data/none\"}]"))) {
            register("mutating", "a", webhook, "\"failurePolicy\":\"Ignore\",");

            RawHttp.Answer answer = create("{\"k\":\"v\"}");

            assertThat(answer.code()).isEqualTo(500);
            assertThat(answer.reason()).isEqualTo("InternalError");
        }
    }

    @Test
    void anInvalidConfigurationIsRefusedWithEveryFault() {
        RawHttp.Answer answer = http.post(REGISTRATION + "mutatingwebhookconfigurations", """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"a"},
                 "webhooks":[{"name":"short","clientConfig":{"url":"http://x"},"timeoutSeconds":31}]}""");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.causes()).containsExactlyInAnyOrder(
                "FieldValueInvalid webhooks[0].name: Invalid value: \"short\": should be a domain with at least three segments separated by dots",
                "FieldValueRequired webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
                "FieldValueRequired webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
                "FieldValueInvalid webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
                "FieldValueInvalid webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]");
    }

    /** Registers one webhook for ConfigMaps and waits until the server calls it or, when it is broken, says so. */
    private void register(String kind, String name, TestWebhook webhook, String more) {
        String title = kind.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + kind.substring(1);
        write(kind, name, configuration(title, name, webhook.url("/x"), webhook.caBundle(), more));
        if (more.contains("Selector")) {
            return;
        }
        String probe = "/api/v1/namespaces/" + namespace + "/configmaps?dryRun=All";
        int before = webhook.reviews().size();
        Eventually.until("webhook " + name + " is in force", () -> {
            RawHttp.Answer answer = http.post(probe, body("{\"probe\":\"1\"}"));
            return webhook.reviews().size() > before || answer.message().contains(name + ".pillion.test");
        });
    }

    private void write(String kind, String name, String body) {
        String path = REGISTRATION + kind + "webhookconfigurations";
        http.delete(path + "/" + name);
        RawHttp.Answer answer = http.post(path, body);
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private String configuration(String kind, String name, String url, String caBundle, String more) {
        String scope = more.contains("namespaceSelector")
                ? ""
                : "\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"" + namespace + "\"}},";
        return """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"%sWebhookConfiguration","metadata":{"name":"%s"},
                 "webhooks":[{"name":"%s.pillion.test","sideEffects":"None","admissionReviewVersions":["v1"],"timeoutSeconds":5,%s%s
                   "clientConfig":{"url":"%s","caBundle":"%s"},
                   "rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]}]}]}"""
                .formatted(kind, name, name, scope, more, url, caBundle);
    }

    private RawHttp.Answer created(String data) {
        RawHttp.Answer answer = create(data);
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return answer;
    }

    private RawHttp.Answer create(String data) {
        return http.post(path(""), body(data));
    }

    private String path(String query) {
        return "/api/v1/namespaces/" + namespace + "/configmaps" + query;
    }

    private String path() {
        return path("/a");
    }

    private static String body(String data) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":" + data + "}";
    }

    private static JsonNode last(TestWebhook webhook) {
        return webhook.reviews().getLast();
    }
}

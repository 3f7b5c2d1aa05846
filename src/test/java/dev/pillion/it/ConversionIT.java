package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Conversion webhooks: every read, write and watch in a version other than the stored one. */
@OnEveryCluster
final class ConversionIT {
    private static final String GROUP = "convert.pillion.test";
    private final KubernetesClient client;
    private final RawHttp http;

    ConversionIT(Cluster cluster) {
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @AfterEach
    void close() {
        http.merge(Definitions.PATH + "/widgets." + GROUP, "{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}");
        http.delete(Definitions.PATH + "/widgets." + GROUP);
        Eventually.until("the type is gone", () -> http.get(Definitions.PATH + "/widgets." + GROUP).code() == 404);
        client.close();
    }

    @Test
    void convertsReadsWritesListsAndWatches() {
        try (TestWebhook webhook = new TestWebhook(ConversionIT::swapSizes)) {
            Definitions.serve(http, GROUP, conversion(webhook));
            Eventually.until("the webhook converts",
                    () -> http.post(path("v1alpha1", "?dryRun=All"), widget("v1alpha1", "probe", 3)).body().at("/spec/size")
                            .intValue(0) == 3
                            && !webhook.reviews().isEmpty());

            assertThat(http.post(path("v1alpha1", ""), widget("v1alpha1", "a", 3)).body().at("/spec/size").intValue()).isEqualTo(3);

            assertThat(http.get(path("v1", "/a")).body().at("/spec/size").intValue()).isEqualTo(7);
            assertThat(http.get(path("v1alpha1", "/a")).body().at("/spec/size").intValue()).isEqualTo(3);
            assertThat(http.get(path("v1alpha1", "")).body().at("/items/0/spec/size").intValue()).isEqualTo(3);
            assertThat(http.merge(path("v1alpha1", "/a"), "{\"spec\":{\"size\":2}}").body().at("/spec/size").intValue()).isEqualTo(2);
            assertThat(http.get(path("v1", "/a")).body().at("/spec/size").intValue()).isEqualTo(8);
            JsonNode request = webhook.reviews().getLast().path("request");
            assertThat(webhook.reviews().getLast().path("kind").stringValue("")).isEqualTo("ConversionReview");
            assertThat(request.path("desiredAPIVersion").stringValue("")).startsWith(GROUP + "/v1");
            watches();
        }
    }

    private void watches() {
        String before = http.get(path("v1", "/a")).body().at("/metadata/resourceVersion").stringValue("");
        http.merge(path("v1", "/a"), "{\"spec\":{\"size\":9}}");
        http.delete(path("v1", "/a"));

        List<JsonNode> events = http.watch(path("v1alpha1", "?watch=true&timeoutSeconds=2&resourceVersion=" + before));

        assertThat(events).extracting(
                e -> e.path("type").stringValue("") + " " + e.at("/object/apiVersion").stringValue("") + " " + e.at("/object/spec/size"))
                .containsExactly("MODIFIED " + GROUP + "/v1alpha1 1", "DELETED " + GROUP + "/v1alpha1 1");
    }

    @Test
    void aFailedConversionFailsTheRequest() {
        try (TestWebhook webhook = new TestWebhook(_ -> {
            ObjectNode response = JsonMapper.shared().createObjectNode();
            response.putObject("result").put("status", "Failure").put("message", "cannot say it in that version");
            response.putArray("convertedObjects");
            return response;
        })) {
            Definitions.serve(http, GROUP, conversion(webhook));

            RawHttp.Answer answer = Eventually.until("the webhook is asked",
                    () -> http.post(path("v1alpha1", "?dryRun=All"), widget("v1alpha1", "a", 3)), a -> a.code() == 500);

            assertThat(answer.message())
                    .isEqualTo("conversion webhook for " + GROUP + "/v1alpha1, Kind=Widget failed: cannot say it in that version");
        }
    }

    @Test
    void aForgottenCaBundleIsRefusedByTheStrategyRule() {
        RawHttp.Answer answer = http.post(Definitions.PATH, Definitions.widgets(GROUP,
                "\"conversion\":{\"strategy\":\"None\",\"webhook\":{\"clientConfig\":{\"caBundle\":\"\",\"url\":\"https://x/y\"},\"conversionReviewVersions\":[\"v1\"]}},"));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.causes()).containsExactlyInAnyOrder(
                "FieldValueForbidden spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
                "FieldValueForbidden spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook");
    }

    /** In v1alpha1 the size counts down from ten. */
    private static ObjectNode swapSizes(ObjectNode request) {
        ObjectNode response = JsonMapper.shared().createObjectNode();
        ArrayNode converted = response.putArray("convertedObjects");
        for (JsonNode object : request.path("objects")) {
            ObjectNode copy = (ObjectNode) object.deepCopy();
            copy.set("apiVersion", request.path("desiredAPIVersion"));
            ((ObjectNode) copy.path("spec")).put("size", 10 - copy.at("/spec/size").intValue());
            converted.add(copy);
        }
        response.putObject("result").put("status", "Success");
        return response;
    }

    private static String conversion(TestWebhook webhook) {
        return "\"conversion\":{\"strategy\":\"Webhook\",\"webhook\":{\"conversionReviewVersions\":[\"v1\"],\"clientConfig\":{\"url\":\""
                + webhook.url("/convert")
                + "\",\"caBundle\":\"" + webhook.caBundle() + "\"}}},";
    }

    private static String path(String version, String rest) {
        return "/apis/" + GROUP + "/" + version + "/widgets" + rest;
    }

    private static String widget(String version, String name, int size) {
        return Definitions.widget(GROUP, version, name, "{\"size\":" + size + "}");
    }
}

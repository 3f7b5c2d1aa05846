package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

final class WebhookConfigsTest {
    private final WebhookConfigs configs = new WebhookConfigs("https://127.0.0.1:9876", "own", "Q0E=");

    @Test
    void podsAreSentOnCreateOnlyAndNotFromTheOwnNamespace() {
        JsonNode pods = configs.mutating().path("webhooks").path(0);

        assertThat(pods.path("clientConfig").toString()).isEqualTo("{\"url\":\"https://127.0.0.1:9876/mutate-pod\",\"caBundle\":\"Q0E=\"}");
        assertThat(pods.path("rules").toString()).isEqualTo(
                "[{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],\"resources\":[\"pods\"],\"operations\":[\"CREATE\"]}]");
        assertThat(pods.path("namespaceSelector").toString()).contains("\"control-plane\"", "\"DoesNotExist\"", "\"own\"");
    }

    @Test
    void setsAreSentInBothVersionsOnCreateAndUpdate() {
        for (JsonNode sets : List.of(configs.mutating().path("webhooks").path(1), configs.validating().path("webhooks").path(0))) {
            assertThat(sets.path("rules").toString()).isEqualTo("[{\"apiGroups\":[\"apps.kruise.io\"],\"apiVersions\":[\"v1alpha1\","
                    + "\"v1beta1\"],\"resources\":[\"sidecarsets\"],\"operations\":[\"CREATE\",\"UPDATE\"]}]");
            assertThat(sets.has("namespaceSelector")).isFalse();
        }
    }

    @Test
    void everyWebhookFailsClosedWithoutSideEffects() {
        for (JsonNode configuration : List.of(configs.mutating(), configs.validating())) {
            assertThat(configuration.path("webhooks")).isNotEmpty().allSatisfy(w -> {
                assertThat(w.path("failurePolicy").asString()).isEqualTo("Fail");
                assertThat(w.path("sideEffects").asString()).isEqualTo("None");
                assertThat(w.path("timeoutSeconds").intValue()).isEqualTo(10);
                assertThat(w.path("admissionReviewVersions").toString()).isEqualTo("[\"v1\",\"v1beta1\"]");
            });
        }
    }
}

package dev.pillion.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.cli.Manifests;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The shipped webhook configurations and those that a controller outside the cluster writes are the same but for the address. */
final class WebhookManifestsTest {
    private static final String URL = "https://127.0.0.1:9876";

    @Test
    void bothWaysRegisterTheSameWebhooks() throws IOException {
        List<ObjectNode> shipped = Manifests.read(Path.of("k8s", "controller", "webhooks.yaml"));
        WebhookConfigs written = new WebhookConfigs(URL, "kruise-system", "");

        assertThat(shipped).hasSize(2);
        assertThat(inside(shipped.get(0))).isEqualTo(outside(written.mutating()));
        assertThat(inside(shipped.get(1))).isEqualTo(outside(written.validating()));
    }

    /** Without labels, and with the path of the service as the address. */
    private static ObjectNode inside(ObjectNode configuration) {
        configuration.withObjectProperty("metadata").remove("labels");
        for (JsonNode webhook : configuration.path("webhooks")) {
            ((ObjectNode) webhook).put("clientConfig", webhook.at("/clientConfig/service/path").stringValue());
        }
        return configuration;
    }

    private static ObjectNode outside(ObjectNode configuration) {
        for (JsonNode webhook : configuration.path("webhooks")) {
            ((ObjectNode) webhook).put("clientConfig", URI.create(Json.text(webhook.path("clientConfig"), "url")).getPath());
        }
        return configuration;
    }
}

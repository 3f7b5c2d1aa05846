package dev.pillion.kube;

import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The webhook configurations for a controller outside the cluster: paths and rules of injection.md 1.1, a URL instead of a Service. */
final class WebhookConfigs {
    static final String MUTATING = "pillion-mutating-webhook-configuration";
    static final String VALIDATING = "pillion-validating-webhook-configuration";
    /** Above the setting admission.deadline (injection.md 1.1: the API server's default). */
    private static final int TIMEOUT_SECONDS = 10;

    private final String url;
    private final String ownNamespace;
    private final String caBundle;

    /**
     * Describes configurations.
     *
     * @param url base URL without a slash at its end
     * @param caBundle PEM in base 64
     */
    WebhookConfigs(String url, String ownNamespace, String caBundle) {
        this.url = url;
        this.ownNamespace = ownNamespace;
        this.caBundle = caBundle;
    }

    String conversionUrl() {
        return url + "/convert";
    }

    ObjectNode mutating() {
        ObjectNode configuration = configuration("MutatingWebhookConfiguration", MUTATING);
        ArrayNode webhooks = configuration.putArray("webhooks");
        ObjectNode pods = webhook(webhooks, "mpod.kb.io", "/mutate-pod");
        rule(pods, "", List.of("v1"), "pods", List.of("CREATE"));
        ArrayNode expressions = pods.putObject("namespaceSelector").putArray("matchExpressions");
        expressions.addObject().put("key", "control-plane").put("operator", "DoesNotExist");
        // The own namespace must come up without the webhook (FR-09).
        expressions.addObject().put("key", Wire.NAMESPACE_NAME_LABEL).put("operator", "NotIn").putArray("values").add("kube-system")
                .add(ownNamespace);
        sets(webhook(webhooks, "msidecarset.kb.io", "/mutate-apps-kruise-io-sidecarset"));
        return configuration;
    }

    ObjectNode validating() {
        ObjectNode configuration = configuration("ValidatingWebhookConfiguration", VALIDATING);
        sets(webhook(configuration.putArray("webhooks"), "vsidecarset.kb.io", "/validate-apps-kruise-io-sidecarset"));
        return configuration;
    }

    private static ObjectNode configuration(String kind, String name) {
        ObjectNode node = Json.object();
        node.put("apiVersion", "admissionregistration.k8s.io/v1").put("kind", kind);
        node.putObject("metadata").put("name", name);
        return node;
    }

    private ObjectNode webhook(ArrayNode list, String name, String path) {
        ObjectNode webhook = list.addObject();
        webhook.put("name", name);
        webhook.putObject("clientConfig").put("url", url + path).put("caBundle", caBundle);
        webhook.put("failurePolicy", "Fail").put("sideEffects", "None").put("timeoutSeconds", TIMEOUT_SECONDS);
        webhook.putArray("admissionReviewVersions").add("v1").add("v1beta1");
        return webhook;
    }

    private static void sets(ObjectNode webhook) {
        rule(webhook, Wire.GROUP, List.of("v1alpha1", "v1beta1"), Wire.PLURAL, List.of("CREATE", "UPDATE"));
    }

    private static void rule(ObjectNode webhook, String group, List<String> versions, String resource, List<String> operations) {
        ObjectNode rule = webhook.putArray("rules").addObject();
        rule.putArray("apiGroups").add(group);
        versions.forEach(rule.putArray("apiVersions")::add);
        rule.putArray("resources").add(resource);
        operations.forEach(rule.putArray("operations")::add);
    }
}

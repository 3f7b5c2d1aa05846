package dev.pillion.check;

import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;
import dev.pillion.explain.WebhookEntry;
import dev.pillion.explain.WebhookReach;

import tools.jackson.databind.node.ObjectNode;

/** One webhook with the name and kind of the configuration that holds it. */
record Configured(String kind, String name, WebhookEntry entry) {
    static final String MUTATING = "MutatingWebhookConfiguration";
    static final String VALIDATING = "ValidatingWebhookConfiguration";
    private static final String OTHER_PRODUCT = "kruise-";

    /** All webhooks of a configuration. */
    static Stream<Configured> all(ObjectNode configuration) {
        String name = Json.text(configuration.path("metadata"), "name");
        String kind = Json.text(configuration, "kind");
        return configuration.path("webhooks").valueStream().map(w -> new Configured(kind, name, new WebhookEntry(w)));
    }

    /** The conversion of a CustomResourceDefinition, whose client configuration has the same form. */
    static WebhookEntry conversion(ObjectNode definition) {
        return new WebhookEntry(definition.path("spec").path("conversion").path("webhook"));
    }

    /** Whether it changes Pods as SidecarSet webhooks do. */
    boolean injects() {
        return asksPods("CREATE") && entry.path().equals(WebhookReach.PATH);
    }

    boolean asksPods(String operation) {
        return entry.asks("", "v1", "pods", operation);
    }

    boolean asksSets() {
        return Stream.of("v1alpha1", "v1beta1").anyMatch(v -> entry.asks(Wire.GROUP, v, Wire.PLURAL, "CREATE"));
    }

    /** Whether the configuration or its Service has a name of OpenKruise. */
    boolean isOpenKruise() {
        return name.startsWith(OTHER_PRODUCT) || entry.serviceName().startsWith(OTHER_PRODUCT);
    }

    boolean isOurs() {
        return name.equals(CheckOptions.MUTATING_NAME) || name.equals(CheckOptions.VALIDATING_NAME);
    }

    boolean concernsSidecars() {
        return isOurs() || isOpenKruise() || injects() || asksSets();
    }
}

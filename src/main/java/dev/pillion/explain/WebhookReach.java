package dev.pillion.explain;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.Selector;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whether the API server sends the creation of a Pod to a SidecarSet webhook, as the webhook configurations stand now. */
public sealed interface WebhookReach {
    /** The path of the Pod webhook; the reference has the same. */
    String PATH = "/mutate-pod";

    /**
     * It does.
     *
     * @param failurePolicy Fail or Ignore
     * @param conditions how many matchConditions it must meet besides; they are not evaluated here
     */
    record Sent(String configuration, String failurePolicy, int conditions) implements WebhookReach {
    }

    /** The Namespace is excluded. */
    record NamespaceExcluded(String configuration, String sentence) implements WebhookReach {
    }

    /** The Pod's own labels exclude it. */
    record OptedOut(String configuration, String sentence) implements WebhookReach {
    }

    /** No webhook of that path is called for Pods. */
    record Absent() implements WebhookReach {
    }

    /**
     * The best of all configurations.
     *
     * @param configurations MutatingWebhookConfigurations as they are stored
     * @param namespace empty: it is gone
     */
    static WebhookReach of(List<ObjectNode> configurations, Optional<NamespaceView> namespace, Map<String, String> podLabels) {
        WebhookReach best = new Absent();
        for (ObjectNode configuration : configurations) {
            for (JsonNode webhook : configuration.path("webhooks")) {
                if (isPodWebhook(new WebhookEntry(webhook))) {
                    WebhookReach reach = reach(Json.text(configuration.path("metadata"), "name"), webhook, namespace, podLabels);
                    best = rank(reach) > rank(best) ? reach : best;
                }
            }
        }
        return best;
    }

    private static int rank(WebhookReach reach) {
        return switch (reach) {
            case Absent _ -> 0;
            case NamespaceExcluded _ -> 1;
            case OptedOut _ -> 2;
            case Sent _ -> 3;
        };
    }

    private static WebhookReach reach(String name, JsonNode webhook, Optional<NamespaceView> namespace, Map<String, String> podLabels) {
        Selector namespaces = selector(webhook, "namespaceSelector");
        Map<String, String> labels = namespace.map(NamespaceView::labels).orElse(Map.of());
        if (!namespaces.matches(labels)) {
            return new NamespaceExcluded(name, "namespaceSelector of " + name + wants(namespaces, labels, "the namespace"));
        }
        Selector objects = selector(webhook, "objectSelector");
        if (!objects.matches(podLabels)) {
            return new OptedOut(name, "objectSelector of " + name + wants(objects, podLabels, "the Pod"));
        }
        return new Sent(name, Json.text(webhook, "failurePolicy"), webhook.path("matchConditions").size());
    }

    private static String wants(Selector selector, Map<String, String> labels, String who) {
        return selector.unmet(labels).map(
                u -> " wants " + u.wanted() + "; " + who + " has " + u.found().map(v -> u.key() + "=" + v).orElse("no label " + u.key()))
                .orElse(" does not match");
    }

    private static Selector selector(JsonNode webhook, String member) {
        return Selector.of(LabelSelector.of(webhook.path(member)));
    }

    private static boolean isPodWebhook(WebhookEntry webhook) {
        return webhook.path().equals(PATH) && webhook.asks("", "v1", "pods", "CREATE");
    }
}

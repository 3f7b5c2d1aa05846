package dev.pillion.sandbox;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations: defaults and checks of their webhooks. */
final class WebhookConfigRules implements TypeRules {
    private final Form form;

    /** Which of the two kinds. */
    enum Form {
        MUTATING, VALIDATING
    }

    WebhookConfigRules(Form form) {
        this.form = form;
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.GENERATION);
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        for (JsonNode node : object.path("webhooks")) {
            if (node instanceof ObjectNode webhook) {
                text(webhook, "failurePolicy", "Fail");
                text(webhook, "matchPolicy", "Equivalent");
                Trees.child(webhook, "namespaceSelector");
                Trees.child(webhook, "objectSelector");
                if (form == Form.MUTATING) {
                    text(webhook, "reinvocationPolicy", "Never");
                }
                if (!webhook.has("timeoutSeconds")) {
                    webhook.put("timeoutSeconds", 10);
                }
                if (webhook.at("/clientConfig/service") instanceof ObjectNode service && !service.has("port")) {
                    service.put("port", 443);
                }
                webhook.path("rules").forEach(rule -> text((ObjectNode) rule, "scope", "*"));
            }
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        Set<String> names = new HashSet<>();
        JsonNode webhooks = object.path("webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            String path = "webhooks[" + i + "]";
            check(webhooks.get(i), path, faults);
            String name = Trees.text(webhooks.get(i), "name");
            if (!names.add(name)) {
                faults.add(Cause.duplicate(path + ".name", quoted(name)));
            }
        }
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }

    private static void check(JsonNode webhook, String path, List<Cause> faults) {
        String name = Trees.text(webhook, "name");
        if (name.isEmpty()) {
            faults.add(Cause.required(path + ".name", ""));
        } else if (name.split("\\.", -1).length < 3) {
            faults.add(Cause.invalid(path + ".name", quoted(name), "should be a domain with at least three segments separated by dots"));
        }
        if (webhook.path("admissionReviewVersions").isEmpty()) {
            faults.add(Cause.required(path + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
        }
        String effects = Trees.text(webhook, "sideEffects");
        if (effects.isEmpty()) {
            faults.add(Cause.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun"));
        } else if (!Set.of("None", "NoneOnDryRun").contains(effects)) {
            faults.add(Cause.notSupported(path + ".sideEffects", quoted(effects), "\"None\", \"NoneOnDryRun\""));
        }
        long seconds = Trees.number(webhook.path("timeoutSeconds"), 0);
        if (seconds < 1 || seconds > 30) {
            faults.add(
                    Cause.invalid(path + ".timeoutSeconds", Long.toString(seconds), "the timeout value must be between 1 and 30 seconds"));
        }
        JsonNode config = webhook.path("clientConfig");
        if (config.has("url") == config.has("service")) {
            faults.add(Cause.required(path + ".clientConfig", "exactly one of url or service is required"));
        } else if (config.has("url") && !"https".equals(scheme(Trees.text(config, "url")))) {
            faults.add(Cause.invalid(path + ".clientConfig.url", quoted(scheme(Trees.text(config, "url"))),
                    "'https' is the only allowed URL scheme; desired format: https://host[/path]"));
        }
    }

    private static String scheme(String url) {
        try {
            String scheme = URI.create(url).getScheme();
            return scheme == null ? "" : scheme;
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    private static void text(ObjectNode object, String member, String value) {
        if (Trees.isAbsent(object.path(member))) {
            object.put(member, value);
        }
    }

    private static String quoted(String text) {
        return Trees.text(Trees.object().stringNode(text));
    }
}

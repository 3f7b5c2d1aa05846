package dev.pillion.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.explain.WebhookEntry;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The CustomResourceDefinition of SidecarSets: its versions and their conversion. */
final class DefinitionRules {
    static final String NAME = "sidecarsets.apps.kruise.io";
    private static final String KIND = "CustomResourceDefinition";
    private static final String STORED = "v1beta1";
    private static final List<String> VERSIONS = List.of("v1alpha1", STORED);
    private static final String APPLY = "apply Pillion's definition: kubectl apply --server-side --force-conflicts -k k8s/crd";

    private final Trust trust;
    private final CheckOptions options;
    private final List<Finding> found = new ArrayList<>();

    private DefinitionRules(Trust trust, CheckOptions options) {
        this.trust = trust;
        this.options = options;
    }

    static List<Finding> judge(ClusterFacts facts, CheckOptions options) {
        DefinitionRules rules = new DefinitionRules(Trust.of(facts, options), options);
        facts.front().definition().map(definition -> {
            definition.ifPresentOrElse(rules::definition,
                    () -> rules.add(Rule.CRD_MISSING, "it does not exist: there can be no SidecarSets", APPLY));
            return definition;
        });
        return rules.found;
    }

    private void definition(ObjectNode definition) {
        for (JsonNode condition : definition.path("status").path("conditions")) {
            String type = Json.text(condition, "type");
            if ((type.equals("Established") || type.equals("NamesAccepted")) && !Json.text(condition, "status").equals("True")) {
                add(Rule.CRD_NOT_ESTABLISHED, "its condition " + type + " is not True: " + Json.text(condition, "message"),
                        "remove what takes its names, or apply it again");
            }
        }
        for (String version : VERSIONS) {
            boolean served = definition.path("spec").path("versions").valueStream()
                    .anyMatch(v -> Json.text(v, "name").equals(version) && v.path("served").asBoolean(false));
            if (!served) {
                add(Rule.CRD_VERSION, "version " + version + " is not served: manifests written for it are refused", APPLY);
            }
        }
        definition.path("spec").path("versions").valueStream().filter(v -> v.path("storage").asBoolean(false))
                .map(v -> Json.text(v, "name"))
                .filter(v -> !v.equals(STORED)).forEach(v -> add(Rule.CRD_STORAGE,
                        "sets are stored as " + v + ", Pillion's definition stores " + STORED + ", which holds every field", APPLY));
        List<String> stored = definition.path("status").path("storedVersions").valueStream().map(v -> v.asString("")).toList();
        if (stored.stream().anyMatch(v -> !v.equals(STORED))) {
            add(Rule.CRD_STORED, "sets may still be stored in earlier versions (status.storedVersions: " + String.join(", ", stored)
                    + "); they are read by conversion",
                    "nothing is needed; before a version is removed from the definition, write every set once");
        }
        conversion(definition);
    }

    private void conversion(ObjectNode definition) {
        if (!Json.text(definition.path("spec").path("conversion"), "strategy").equals("Webhook")) {
            add(Rule.CRD_CONVERSION, "its versions are not converted by a webhook: fields that only one version has are lost", APPLY);
            return;
        }
        WebhookEntry webhook = Configured.conversion(definition);
        boolean elsewhere = !webhook.serviceName().isEmpty()
                && !(webhook.serviceName().equals(WebhookRules.SERVICE) && webhook.serviceNamespace().equals(options.namespace()));
        if (elsewhere) {
            add(Rule.CRD_ELSEWHERE, "its versions are converted by Service " + webhook.serviceNamespace() + "/" + webhook.serviceName()
                    + ", not by Pillion's", APPLY + ", before that Service goes");
            return;
        }
        trust.fault(webhook.caBundle())
                .ifPresent(fault -> add(Rule.CRD_CONVERSION, "its conversion " + fault, WebhookRules.healed(options)));
    }

    private void add(Rule rule, String what, String wayOut) {
        found.add(Finding.of(rule, KIND, NAME, what, wayOut));
    }

    /** The conversion's entry, while Pillion is asked to convert. */
    static Optional<WebhookEntry> ours(ObjectNode definition, CheckOptions options) {
        WebhookEntry webhook = Configured.conversion(definition);
        return (webhook.serviceName().equals(WebhookRules.SERVICE) && webhook.serviceNamespace().equals(options.namespace()))
                || webhook.uri().isPresent() ? Optional.of(webhook) : Optional.empty();
    }
}

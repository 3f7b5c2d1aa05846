package dev.pillion.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;
import dev.pillion.api.Wire;
import dev.pillion.match.Selector;

import tools.jackson.databind.node.ObjectNode;

/** The own webhook configurations. */
final class WebhookRules {
    static final String SERVICE = "pillion-webhook-service";
    private static final String SETS = "/mutate-apps-kruise-io-sidecarset";
    private static final String VALIDATE = "/validate-apps-kruise-io-sidecarset";
    private static final int DEFAULT_TIMEOUT = 10;
    private static final String APPLY = "apply k8s/controller/webhooks.yaml, or start \"pillion run --webhook-url\", which writes them";

    private final ClusterFacts facts;
    private final CheckOptions options;
    private final Trust trust;
    private final List<Finding> found = new ArrayList<>();

    private WebhookRules(ClusterFacts facts, CheckOptions options) {
        this.facts = facts;
        this.options = options;
        this.trust = Trust.of(facts, options);
    }

    static List<Finding> judge(ClusterFacts facts, CheckOptions options) {
        WebhookRules rules = new WebhookRules(facts, options);
        facts.front().mutating().map(all -> rules.configuration(Configured.MUTATING, CheckOptions.MUTATING_NAME, all));
        facts.front().validating().map(all -> rules.configuration(Configured.VALIDATING, CheckOptions.VALIDATING_NAME, all));
        return rules.found;
    }

    /** What makes a caBundle right. */
    static String healed(CheckOptions options) {
        return switch (options.certificates()) {
            case OWN -> "a running controller writes it within a minute: look at its log and its rights";
            case EXTERNAL -> "certs.external is on: let the tool that makes the certificates write caBundle, too";
        };
    }

    private List<Finding> configuration(String kind, String name, List<ObjectNode> all) {
        List<Configured> webhooks = all.stream().flatMap(Configured::all).filter(w -> w.name().equals(name)).toList();
        if (webhooks.isEmpty()) {
            found.add(Finding.of(Rule.WEBHOOK_MISSING, kind, name, "it does not exist: " + (kind.equals(Configured.MUTATING)
                    ? "new Pods get no sidecars, SidecarSets get no defaults and hashes"
                    : "SidecarSets that are wrong are taken"), APPLY));
        } else if (kind.equals(Configured.MUTATING)) {
            demand(kind, name, webhooks, "changes new Pods, so they get no sidecars", Configured::injects);
            demand(kind, name, webhooks, "gives SidecarSets their defaults and hashes",
                    w -> w.asksSets() && w.entry().path().equals(SETS));
        } else {
            demand(kind, name, webhooks, "refuses SidecarSets that are wrong", w -> w.asksSets() && w.entry().path().equals(VALIDATE));
        }
        webhooks.forEach(this::webhook);
        webhooks.stream().flatMap(w -> w.entry().uri().stream()).findFirst()
                .ifPresent(u -> found.add(Finding.of(Rule.WEBHOOK_OUTSIDE, kind, name,
                        "it sends to " + u.getScheme() + "://" + u.getAuthority() + ", not to a Service",
                        "nothing is needed for a controller with --webhook-url; else delete it and apply k8s/controller/webhooks.yaml")));
        return found;
    }

    private void demand(String kind, String name, List<Configured> webhooks, String deed, Predicate<Configured> fits) {
        if (webhooks.stream().noneMatch(fits)) {
            found.add(Finding.of(Rule.WEBHOOK_MISSING, kind, name, "it has no webhook that " + deed, APPLY));
        }
    }

    private void webhook(Configured webhook) {
        trust.fault(webhook.entry().caBundle()).ifPresent(fault -> add(Rule.WEBHOOK_CA, webhook, fault, healed(options)));
        if (Json.text(webhook.entry().raw(), "failurePolicy").equals("Ignore")) {
            add(Rule.WEBHOOK_IGNORES, webhook, "has failurePolicy Ignore: while no replica answers, its work is left out without a word",
                    "set it to Fail, or watch the metric of pods without sidecars");
        }
        int timeout = webhook.entry().raw().path("timeoutSeconds").asInt(DEFAULT_TIMEOUT);
        if (timeout <= options.admissionDeadline().toSeconds()) {
            add(Rule.WEBHOOK_TIMEOUT, webhook, "has timeoutSeconds " + timeout + ", not more than admission.deadline ("
                    + options.admissionDeadline().toMillis() + " ms): a slow answer ends without its reason",
                    "raise timeoutSeconds, or lower the setting admission.deadline");
        }
        if (webhook.asksPods("CREATE")) {
            namespaces(webhook);
        }
        dead(webhook);
    }

    /** The own namespace must come up while no replica answers (FR-09), and so must the control plane. */
    private void namespaces(Configured webhook) {
        Selector selector = Selector.of(LabelSelector.of(webhook.entry().raw().path("namespaceSelector")));
        Map<String, String> own = new HashMap<>(facts.front().namespaceLabels().orElse(Map.of()));
        own.putIfAbsent(Wire.NAMESPACE_NAME_LABEL, options.namespace());
        for (Map<String, String> labels : List.of(own, Map.of(Wire.NAMESPACE_NAME_LABEL, "kube-system"))) {
            if (selector.matches(labels) && Json.text(webhook.entry().raw(), "failurePolicy").equals("Fail")) {
                add(Rule.WEBHOOK_OWN_NAMESPACE, webhook, "does not exclude namespace " + labels.get(Wire.NAMESPACE_NAME_LABEL)
                        + ": when no replica answers, pods there cannot start either",
                        "exclude it in namespaceSelector, as k8s/controller/webhooks.yaml does");
            }
        }
    }

    private void dead(Configured webhook) {
        ClusterFacts.service(webhook.entry()).filter(s -> isMissing(facts, s)).ifPresent(s -> add(Rule.WEBHOOK_DEAD, webhook,
                "asks Service " + s + ", which does not exist", "apply k8s/controller/service.yaml, or correct the name"));
    }

    static boolean isMissing(ClusterFacts facts, ClusterFacts.ServiceName service) {
        return Optional.ofNullable(facts.front().services().get(service)).flatMap(k -> k.map(exists -> !exists)).orElse(false);
    }

    private void add(Rule rule, Configured webhook, String what, String wayOut) {
        add(found, rule, webhook, what, wayOut);
    }

    /** One finding for all webhooks of a configuration that have the same fault. */
    static void add(List<Finding> found, Rule rule, Configured webhook, String what, String wayOut) {
        found.add(Finding.of(rule, webhook.kind(), webhook.name(), "webhook " + webhook.entry().name() + " " + what, wayOut));
    }
}

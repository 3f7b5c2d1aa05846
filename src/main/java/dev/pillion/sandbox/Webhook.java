package dev.pillion.sandbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.pillion.sandbox.AdmissionAttributes.Operation;

import tools.jackson.databind.JsonNode;

/**
 * One webhook of a stored configuration, defaults filled in.
 *
 * @param id distinguishes webhooks of one name in several configurations
 */
record Webhook(String id, String name, JsonNode config) {

    /** All webhooks of the configurations, which are given in the order of their names. */
    static List<Webhook> of(List<Stored> configurations) {
        List<Webhook> webhooks = new ArrayList<>();
        for (Stored configuration : configurations) {
            int index = 0;
            for (JsonNode webhook : configuration.tree().path("webhooks")) {
                String name = Trees.text(webhook, "name");
                webhooks.add(new Webhook(configuration.name() + "/" + name + "/" + index++, name, webhook));
            }
        }
        return List.copyOf(webhooks);
    }

    Duration timeout() {
        return Duration.ofSeconds(Trees.number(config.path("timeoutSeconds"), 10));
    }

    boolean failsOpen() {
        return "Ignore".equals(Trees.text(config, "failurePolicy"));
    }

    boolean wantsReinvocation() {
        return "IfNeeded".equals(Trees.text(config, "reinvocationPolicy"));
    }

    boolean allowsDryRun() {
        String effects = Trees.text(config, "sideEffects");
        return effects.equals("None") || effects.equals("NoneOnDryRun");
    }

    /** The first review version that the sandbox can speak. */
    String reviewVersion() {
        for (JsonNode version : config.path("admissionReviewVersions")) {
            if (version.stringValue("").equals("v1") || version.stringValue("").equals("v1beta1")) {
                return version.stringValue("");
            }
        }
        return "v1";
    }

    /**
     * The version in which this webhook wants to see the write; empty when it does not want to.
     *
     * @param namespaceLabels labels of the object's namespace; of the object itself when it is a namespace
     */
    Optional<String> wants(AdmissionAttributes write, Map<String, String> namespaceLabels) {
        Optional<String> version = version(write);
        boolean inNamespace = !write.namespace().isEmpty() || isNamespace(write);
        if (inNamespace && !LabelRequirements.match(config.path("namespaceSelector"), namespaceLabels)) {
            return Optional.empty();
        }
        return selects(write.object()) || selects(write.oldObject()) ? version : Optional.empty();
    }

    private boolean selects(@Nullable JsonNode object) {
        return object != null && LabelRequirements.match(config.path("objectSelector"), labels(object));
    }

    static Map<String, String> labels(JsonNode object) {
        Map<String, String> labels = new TreeMap<>();
        Trees.at(object, "metadata", "labels").properties().forEach(label -> labels.put(label.getKey(), label.getValue().stringValue("")));
        return labels;
    }

    static boolean isNamespace(AdmissionAttributes write) {
        return write.type().qualifiedName().equals("namespaces");
    }

    /** The request's own version when a rule names it; with matchPolicy Equivalent else another version of the type. */
    private Optional<String> version(AdmissionAttributes write) {
        List<String> versions = new ArrayList<>(List.of(write.version()));
        if (!"Exact".equals(Trees.text(config, "matchPolicy"))) {
            write.type().versions().stream().filter(other -> !other.equals(write.version())).forEach(versions::add);
        }
        for (String version : versions) {
            for (JsonNode rule : config.path("rules")) {
                if (matches(rule, write, version)) {
                    return Optional.of(version);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean matches(JsonNode rule, AdmissionAttributes write, String version) {
        ResourceType type = write.type();
        return hasScope(Trees.text(rule, "scope"), type) && names(rule.path("operations"), write.operation())
                && names(rule.path("apiGroups"), type.group()) && names(rule.path("apiVersions"), version)
                && namesResource(rule.path("resources"), type.plural(), write.subresource());
    }

    private static boolean hasScope(String scope, ResourceType type) {
        return switch (scope) {
            case "Cluster" -> !type.isNamespaced();
            case "Namespaced" -> type.isNamespaced();
            default -> true;
        };
    }

    private static boolean names(JsonNode list, Operation operation) {
        return names(list, operation.name());
    }

    private static boolean names(JsonNode list, String wanted) {
        for (JsonNode one : list) {
            if (one.stringValue("").equals("*") || one.stringValue("").equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean namesResource(JsonNode list, String resource, String subresource) {
        for (JsonNode one : list) {
            String text = one.stringValue("");
            int slash = text.indexOf('/');
            String wantedResource = slash < 0 ? text : text.substring(0, slash);
            String wantedSubresource = slash < 0 ? "" : text.substring(slash + 1);
            if ((wantedResource.equals("*") || wantedResource.equals(resource))
                    && (wantedSubresource.equals("*") || wantedSubresource.equals(subresource))) {
                return true;
            }
        }
        return false;
    }
}

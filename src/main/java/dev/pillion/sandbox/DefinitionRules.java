package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** CustomResourceDefinitions themselves: defaults and the checks that a writer of one is most likely to meet. */
final class DefinitionRules implements TypeRules {

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.GENERATION);
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        ObjectNode spec = Trees.child(object, "spec");
        ObjectNode names = Trees.child(spec, "names");
        String kind = Trees.text(names, "kind");
        if (Trees.text(names, "singular").isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (Trees.text(names, "listKind").isEmpty() && !kind.isEmpty()) {
            names.put("listKind", kind + "List");
        }
        ObjectNode conversion = Trees.child(spec, "conversion");
        if (Trees.text(conversion, "strategy").isEmpty()) {
            conversion.put("strategy", "None");
        }
        if (conversion.at("/webhook/clientConfig/service") instanceof ObjectNode service && !service.has("port")) {
            service.put("port", 443);
        }
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        ObjectNode status = object.putObject("status");
        status.set("conditions", Trees.array());
        status.putObject("acceptedNames").put("plural", "").put("kind", "");
        status.set("storedVersions", storedVersion(object));
    }

    @Override
    public void prepareUpdate(ObjectNode object, ObjectNode old) {
        // A new storage version joins the ones that objects may still be stored in.
        if (object.path("status") instanceof ObjectNode status) {
            for (JsonNode version : storedVersion(object)) {
                boolean isKnown = false;
                for (JsonNode known : status.path("storedVersions")) {
                    isKnown |= known.equals(version);
                }
                if (!isKnown) {
                    status.withArray("storedVersions").add(version);
                }
            }
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        JsonNode spec = object.path("spec");
        String wanted = Trees.text(spec, "names", "plural") + "." + Trees.text(spec, "group");
        if (!Trees.name(object).equals(wanted)) {
            faults.add(Cause.invalid("metadata.name", quoted(Trees.name(object)), "must be spec.names.plural+\".\"+spec.group"));
        }
        for (String member : List.of("plural", "kind")) {
            if (Trees.text(spec, "names", member).isEmpty()) {
                faults.add(Cause.required("spec.names." + member, ""));
            }
        }
        if (Trees.text(spec, "group").isEmpty()) {
            faults.add(Cause.required("spec.group", ""));
        }
        String scope = Trees.text(spec, "scope");
        if (!Set.of("Cluster", "Namespaced").contains(scope)) {
            faults.add(Cause.notSupported("spec.scope", quoted(scope), "\"Cluster\", \"Namespaced\""));
        }
        versions(spec.path("versions"), faults);
        conversion(spec.path("conversion"), faults);
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        List<Cause> faults = new ArrayList<>(validateCreate(object));
        for (String member : List.of("group", "scope")) {
            if (!object.at("/spec/" + member).equals(old.at("/spec/" + member))) {
                faults.add(Cause.invalid("spec." + member, Trees.text(object.at("/spec/" + member)), "field is immutable"));
            }
        }
        JsonNode stored = object.at("/status/storedVersions");
        for (int i = 0; i < stored.size(); i++) {
            String name = stored.get(i).stringValue("");
            if (names(object).stream().noneMatch(name::equals)) {
                faults.add(Cause.invalid("status.storedVersions[" + i + "]", quoted(name),
                        "missing from spec.versions; " + name
                                + " was previously a storage version, and must remain in spec.versions until a storage"
                                + " migration ensures no data remains persisted in " + name + " and removes " + name
                                + " from status.storedVersions"));
            }
        }
        return faults;
    }

    private static void versions(JsonNode versions, List<Cause> faults) {
        int stored = 0;
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            JsonNode version = versions.get(i);
            stored += version.path("storage").booleanValue(false) ? 1 : 0;
            if (!seen.add(Trees.text(version, "name"))) {
                faults.add(Cause.invalid("spec.versions", Trees.text(versions), "must contain unique version names"));
            }
            if (!Trees.at(version, "schema", "openAPIV3Schema").isObject()) {
                faults.add(Cause.required("spec.versions[" + i + "].schema.openAPIV3Schema", ""));
            }
        }
        if (stored != 1) {
            faults.add(Cause.invalid("spec.versions", Trees.text(versions), "must have exactly one version marked as storage version"));
        }
    }

    private static void conversion(JsonNode conversion, List<Cause> faults) {
        boolean isWebhook = "Webhook".equals(Trees.text(conversion, "strategy"));
        JsonNode webhook = conversion.path("webhook");
        if (!isWebhook) {
            if (webhook.path("clientConfig").isObject()) {
                faults.add(Cause.forbidden("spec.conversion.webhookClientConfig", "should not be set when strategy is not set to Webhook"));
            }
            if (!webhook.path("conversionReviewVersions").isEmpty()) {
                faults.add(Cause.forbidden("spec.conversion.conversionReviewVersions",
                        "should not be set when strategy is not set to Webhook"));
            }
            return;
        }
        JsonNode config = webhook.path("clientConfig");
        if (!config.isObject()) {
            faults.add(Cause.required("spec.conversion.webhookClientConfig", "required when strategy is set to Webhook"));
        } else if (config.has("url") == config.has("service")) {
            faults.add(Cause.required("spec.conversion.webhookClientConfig", "exactly one of url or service is required"));
        }
        if (webhook.path("conversionReviewVersions").isEmpty()) {
            faults.add(Cause.required("spec.conversion.conversionReviewVersions", ""));
        }
    }

    private static JsonNode storedVersion(ObjectNode object) {
        var stored = Trees.array();
        for (JsonNode version : object.at("/spec/versions")) {
            if (version.path("storage").booleanValue(false)) {
                stored.add(Trees.text(version, "name"));
            }
        }
        return stored;
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.at("/spec/versions").forEach(version -> names.add(Trees.text(version, "name")));
        return names;
    }

    private static String quoted(String text) {
        return Trees.text(Trees.object().stringNode(text));
    }
}

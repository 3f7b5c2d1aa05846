package dev.pillion.kube;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes webhook configurations and caBundles, only where they differ (stack.md, caBundle). */
final class HttpWebhookWrites implements WebhookWrites {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String MUTATING = GROUP + "mutatingwebhookconfigurations";
    private static final String VALIDATING = GROUP + "validatingwebhookconfigurations";
    private static final String CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + Wire.PLURAL + "." + Wire.GROUP;

    private final RawApi api;

    HttpWebhookWrites(RawApi api) {
        this.api = api;
    }

    @Override
    public void putConfigurations(URI base, String ownNamespace, String caBundle) {
        String url = base.toString();
        var configs = new WebhookConfigs(url.endsWith("/") ? url.substring(0, url.length() - 1) : url, ownNamespace, caBundle);
        put(MUTATING, WebhookConfigs.MUTATING, configs.mutating());
        put(VALIDATING, WebhookConfigs.VALIDATING, configs.validating());
        ObjectNode conversion = Json.object().put("url", configs.conversionUrl()).put("caBundle", caBundle);
        putConversion(conversion.putNull("service"));
    }

    private void put(String collection, String name, ObjectNode wanted) {
        Optional<ObjectNode> known = read(collection + "/" + name);
        if (known.isEmpty()) {
            api.send("POST", collection, RawApi.JSON, Json.write(wanted));
        } else if (!holds(known.get().path("webhooks"), wanted.path("webhooks"))) {
            ObjectNode patch = guarded(known.get());
            patch.set("webhooks", wanted.path("webhooks"));
            api.send("PATCH", collection + "/" + name, RawApi.MERGE, Json.write(patch));
        }
    }

    /** Whether a value has everything that is wanted; the server adds defaults to objects. */
    static boolean holds(JsonNode value, JsonNode wanted) {
        if (wanted.isObject()) {
            return value.isObject() && wanted.properties().stream().allMatch(m -> holds(value.path(m.getKey()), m.getValue()));
        }
        if (!wanted.isArray()) {
            return value.equals(wanted);
        }
        boolean same = value.isArray() && value.size() == wanted.size();
        for (int i = 0; same && i < wanted.size(); i++) {
            same = holds(value.path(i), wanted.path(i));
        }
        return same;
    }

    @Override
    public void putCaBundle(String caBundle) {
        for (String path : List.of(MUTATING + "/" + WebhookConfigs.MUTATING, VALIDATING + "/" + WebhookConfigs.VALIDATING)) {
            read(path).flatMap(known -> caBundlePatch(known, caBundle))
                    .ifPresent(patch -> api.send("PATCH", path, RawApi.STRATEGIC, Json.write(patch)));
        }
    }

    /** Names every entry in the existing order, else the merge would reorder them; empty when nothing differs. */
    static Optional<ObjectNode> caBundlePatch(ObjectNode known, String caBundle) {
        ObjectNode patch = guarded(known);
        ArrayNode entries = patch.putArray("webhooks");
        boolean differs = false;
        for (JsonNode webhook : known.path("webhooks")) {
            differs |= !caBundle.equals(Json.text(webhook.path("clientConfig"), "caBundle"));
            entries.addObject().put("name", Json.text(webhook, "name")).putObject("clientConfig").put("caBundle", caBundle);
        }
        return differs ? Optional.of(patch) : Optional.empty();
    }

    @Override
    public void putConversionCaBundle(String caBundle) {
        putConversion(Json.object().put("caBundle", caBundle));
    }

    /** Merges into the conversion's client config; a member that is null is removed there. */
    private void putConversion(ObjectNode clientConfig) {
        Optional<ObjectNode> crd = read(CRD);
        JsonNode conversion = crd.map(c -> c.path("spec").path("conversion")).orElse(Json.NODES.missingNode());
        JsonNode known = conversion.path("webhook").path("clientConfig");
        boolean same = clientConfig.properties().stream()
                .allMatch(m -> m.getValue().isNull() ? !known.has(m.getKey()) : m.getValue().equals(known.get(m.getKey())));
        if (crd.isPresent() && Json.text(conversion, "strategy").equals("Webhook") && !same) {
            ObjectNode patch = guarded(crd.get());
            patch.putObject("spec").putObject("conversion").putObject("webhook").set("clientConfig", clientConfig);
            api.send("PATCH", CRD, RawApi.MERGE, Json.write(patch));
        }
    }

    private static ObjectNode guarded(ObjectNode known) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("resourceVersion", Json.text(known.path("metadata"), "resourceVersion"));
        return patch;
    }

    private Optional<ObjectNode> read(String path) {
        try {
            return Optional.of(api.getTree(path));
        } catch (KubeException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }
}

package dev.pillion.explain;

import java.net.URI;
import java.util.Optional;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/** One webhook of a configuration as it is stored: whom it asks, and about what. */
public record WebhookEntry(JsonNode raw) {
    public String name() {
        return Json.text(raw, "name");
    }

    /** Of its Service or URL; "" when there is none. */
    public String path() {
        String path = Json.text(service(), "path");
        return path.isEmpty() ? uri().flatMap(u -> Optional.ofNullable(u.getPath())).orElse("") : path;
    }

    /** Where it is when it has no Service; empty, too, for a text that is no URL. */
    public Optional<URI> uri() {
        String url = Json.text(client(), "url");
        try {
            return url.isEmpty() ? Optional.empty() : Optional.of(URI.create(url));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** "" for one that has a URL. */
    public String serviceName() {
        return Json.text(service(), "name");
    }

    public String serviceNamespace() {
        return Json.text(service(), "namespace");
    }

    /** PEM in base 64; "" when there is none. */
    public String caBundle() {
        return Json.text(client(), "caBundle");
    }

    /** Whether one of its rules covers the request. */
    public boolean asks(String group, String version, String resource, String operation) {
        boolean asked = false;
        for (JsonNode rule : raw.path("rules")) {
            asked |= holds(rule, "operations", operation) && holds(rule, "apiGroups", group) && holds(rule, "apiVersions", version)
                    && (holds(rule, "resources", resource) || holds(rule, "resources", "*/*"));
        }
        return asked;
    }

    private JsonNode client() {
        return raw.path("clientConfig");
    }

    private JsonNode service() {
        return client().path("service");
    }

    private static boolean holds(JsonNode rule, String member, String value) {
        for (JsonNode item : rule.path(member)) {
            String text = item.asString("");
            if (text.equals(value) || text.equals("*")) {
                return true;
            }
        }
        return false;
    }
}

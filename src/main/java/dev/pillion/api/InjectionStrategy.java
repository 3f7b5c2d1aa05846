package dev.pillion.api;

import java.util.Optional;

import tools.jackson.databind.JsonNode;

/** spec.injectionStrategy (api.md 2.3). */
public record InjectionStrategy(boolean paused, Optional<Pin> pin) {

    /** spec.injectionStrategy.revision: which history entry new pods get. Names are empty when absent; the policy is kept as text. */
    public record Pin(Optional<String> revisionName, Optional<String> customVersion, String policy) {
    }

    static InjectionStrategy of(JsonNode node) {
        JsonNode pin = node.path("revision");
        return new InjectionStrategy(node.path("paused").asBoolean(false),
                pin.isObject()
                        ? Optional.of(new Pin(optional(pin, "revisionName"), optional(pin, "customVersion"), Json.text(pin, "policy")))
                        : Optional.empty());
    }

    private static Optional<String> optional(JsonNode node, String member) {
        JsonNode value = node.path(member);
        return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }
}

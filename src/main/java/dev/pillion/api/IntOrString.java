package dev.pillion.api;

import java.util.Optional;

import tools.jackson.databind.JsonNode;

/** A number or a text, as partition and maxUnavailable are given. */
public sealed interface IntOrString {
    record Int(int value) implements IntOrString {
    }

    record Text(String value) implements IntOrString {
    }

    /** Empty for an absent, null or otherwise shaped node. */
    static Optional<IntOrString> of(JsonNode node) {
        if (node.isString()) {
            return Optional.of(new Text(node.stringValue()));
        }
        return node.isIntegralNumber() && node.canConvertToInt() ? Optional.of(new Int(node.intValue())) : Optional.empty();
    }
}

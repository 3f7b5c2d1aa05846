package dev.pillion.kube;

import java.util.Optional;

/**
 * What counts of the ConfigMap kruise-configuration in the own namespace (api.md 9).
 *
 * @param whitelist text of its whitelist key; empty when the key is missing, not when its text is empty
 */
public record Configuration(Optional<String> whitelist) {
}

package dev.pillion.validate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;

/** spec.patchPodMetadata and its whitelist ConfigMap (validation.md 7.3). */
final class PodMetadataRules {
    private static final String PATH = "spec.patchPodMetadata";
    private static final List<String> POLICIES = List.of("Retain", "Overwrite", "MergePatchJson");

    private final Faults faults;
    private final ValidateOptions options;

    PodMetadataRules(Faults faults, ValidateOptions options) {
        this.faults = faults;
        this.options = options;
    }

    void check(List<JsonNode> entries, Map<String, String> labels, Optional<Map<String, String>> configMap, String namespace,
            Set<String> storedPolicies) {
        if (entries.isEmpty()) {
            return;
        }
        Whitelist.problem(entries, labels, configMap, options.metadataDefaults())
                .ifPresent(problem -> faults.required(PATH,
                        problem + " (ConfigMap " + namespace + "/" + Wire.CONFIG_MAP + ", key " + Wire.WHITELIST_KEY + ")"));
        Set<String> seen = new HashSet<>();
        for (JsonNode entry : entries) {
            if (entry.path("annotations").isEmpty()) {
                faults.required(PATH, "each entry needs annotations");
            }
            new MetadataRules(faults).annotations(entry, "annotations", "patchPodMetadata.annotations");
            String policy = Node.text(entry, "patchPolicy");
            if (policy.isEmpty()) {
                faults.required(PATH, "patchPolicy must be one of " + String.join(", ", POLICIES));
            } else if (options.fixes() && !POLICIES.contains(policy) && !storedPolicies.contains(policy)) {
                // Trap 26: an unknown policy does nothing. What is stored already may stay.
                faults.required(PATH, "patchPolicy " + Faults.quoted(policy) + " is unknown: use one of " + String.join(", ", POLICIES));
            }
            for (Map.Entry<String, JsonNode> annotation : Node.entries(entry, "annotations")) {
                if (!seen.add(annotation.getKey())) {
                    faults.required(PATH, "annotation " + Faults.quoted(annotation.getKey()) + " is in two entries: keep one");
                }
            }
        }
    }
}

package dev.pillion.validate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;
import dev.pillion.api.Wire;
import dev.pillion.match.Selector;
import dev.pillion.validate.ValidateOptions.MetadataDefaults;

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
            ValidationRequest.Operation operation) {
        if (entries.isEmpty()) {
            return;
        }
        whitelistProblem(entries, labels, configMap, options.metadataDefaults())
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
            } else if (options.fixes() && operation == ValidationRequest.Operation.CREATE && !POLICIES.contains(policy)) {
                // Trap 26: an unknown policy does nothing.
                faults.required(PATH, "patchPolicy " + Faults.quoted(policy) + " is unknown: use one of " + String.join(", ", POLICIES));
            }
            for (Map.Entry<String, JsonNode> annotation : Node.entries(entry, "annotations")) {
                if (!seen.add(annotation.getKey())) {
                    faults.required(PATH, "annotation " + Faults.quoted(annotation.getKey()) + " is in two entries: keep one");
                }
            }
        }
    }

    /** Why the whitelist refuses these entries; empty when it allows them. */
    static Optional<String> whitelistProblem(List<JsonNode> entries, Map<String, String> labels, Optional<Map<String, String>> configMap,
            MetadataDefaults defaults) {
        String text = configMap.map(data -> data.getOrDefault(Wire.WHITELIST_KEY, "")).orElse("");
        if (text.isEmpty()) {
            return absent(defaults, "no whitelist allows pod annotations to be patched: list the allowed keys");
        }
        Optional<JsonNode> whitelist = Json.tryRead(text).filter(JsonNode::isObject);
        if (whitelist.isEmpty()) {
            return Optional.of("the whitelist is no JSON object: correct it");
        }
        List<Pattern> allowed = new ArrayList<>();
        for (JsonNode rule : Node.items(whitelist.get(), "rules")) {
            if (Node.isSet(rule, "selector")) {
                LabelSelector written = LabelSelector.of(rule.path("selector"));
                Faults problems = new Faults();
                new SelectorRules(problems).check(rule.path("selector"), "selector");
                if (problems.size() > 0) {
                    return Optional
                            .of("a rule of the whitelist has a bad selector (" + problems.list().getFirst().field() + "): correct it");
                }
                if (!Selector.of(written).matches(labels)) {
                    continue;
                }
            }
            for (String expression : Node.texts(rule, "allowedAnnotationKeyExprs")) {
                try {
                    allowed.add(Pattern.compile(expression));
                } catch (PatternSyntaxException e) {
                    return Optional.of("the whitelist's expression " + Faults.quoted(expression) + " is no RE2 expression: correct it");
                }
            }
        }
        if (allowed.isEmpty()) {
            return absent(defaults, "no rule of the whitelist applies to this set: add one");
        }
        for (JsonNode entry : entries) {
            for (Map.Entry<String, JsonNode> annotation : Node.entries(entry, "annotations")) {
                // Compatible: the search is unanchored (trap 27).
                if (allowed.stream().noneMatch(p -> p.matcher(annotation.getKey()).find())) {
                    return Optional.of(
                            "annotation " + Faults.quoted(annotation.getKey()) + " is not on the whitelist: add it there, or leave it out");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> absent(MetadataDefaults defaults, String problem) {
        return switch (defaults) {
            case ALLOWED -> Optional.empty();
            case REFUSED -> Optional.of(problem);
        };
    }
}

package dev.pillion.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import dev.pillion.api.Json;
import dev.pillion.api.LabelSelector;
import dev.pillion.api.Wire;
import dev.pillion.expr.Re2;
import dev.pillion.match.Selector;
import dev.pillion.validate.ValidateOptions.MetadataDefaults;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The whitelist ConfigMap's text: which pod annotations a set may patch (validation.md 7.3, rule 1). */
final class Whitelist {
    /** What is wrong with the text; ends the reading. */
    private static final class Flaw extends Exception {
        private static final long serialVersionUID = 1;

        Flaw(String text) {
            super(text, null, false, false);
        }
    }

    private Whitelist() {
    }

    /**
     * Why these entries of spec.patchPodMetadata are refused; empty when they are allowed.
     *
     * @param labels of the set, for the selectors of the rules
     * @param configMap data of the ConfigMap; empty when it does not exist
     */
    static Optional<String> problem(List<JsonNode> entries, Map<String, String> labels, Optional<Map<String, String>> configMap,
            MetadataDefaults defaults) {
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> text = configMap.flatMap(data -> Optional.ofNullable(data.get(Wire.WHITELIST_KEY)));
        if (text.isEmpty()) {
            return absent(defaults, "no whitelist allows pod annotations to be patched: list the allowed keys");
        }
        try {
            List<Pattern> allowed = allowed(text.get(), labels);
            return allowed.isEmpty()
                    ? absent(defaults, "no rule of the whitelist applies to this set: add one")
                    : unlisted(entries, allowed);
        } catch (Flaw flaw) {
            return Optional.of(String.valueOf(flaw.getMessage()));
        }
    }

    private static Optional<String> absent(MetadataDefaults defaults, String problem) {
        return switch (defaults) {
            case ALLOWED -> Optional.empty();
            case REFUSED -> Optional.of(problem);
        };
    }

    private static Optional<String> unlisted(List<JsonNode> entries, List<Pattern> allowed) {
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

    /** The expressions of all rules that apply to a set with these labels. A rule that does not apply may be faulty. */
    private static List<Pattern> allowed(String text, Map<String, String> labels) throws Flaw {
        List<Pattern> allowed = new ArrayList<>();
        List<JsonNode> rules = list(parsed(text).path("rules"), "rules");
        for (int i = 0; i < rules.size(); i++) {
            String path = "rules[" + i + "]";
            JsonNode rule = rules.get(i);
            if (!rule.isObject() && !rule.isNull()) {
                throw new Flaw("the whitelist's " + path + " is no JSON object: correct it");
            }
            if (applies(rule, path, labels)) {
                for (JsonNode expression : list(rule.path("allowedAnnotationKeyExprs"), path + ".allowedAnnotationKeyExprs")) {
                    allowed.add(pattern(expression, path));
                }
            }
        }
        return allowed;
    }

    /** Compatible: null is read as if nothing stood there, an empty text is a fault. */
    private static JsonNode parsed(String text) throws Flaw {
        JsonNode whitelist;
        try {
            whitelist = text.isBlank() ? Json.NODES.missingNode() : Json.read(text);
        } catch (JacksonException e) {
            throw new Flaw(
                    "the whitelist is no JSON (line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr() + ": "
                            + e.getOriginalMessage().lines().findFirst().orElse("") + "): correct it");
        }
        if (!whitelist.isObject() && !whitelist.isNull()) {
            throw new Flaw("the whitelist is " + (whitelist.isMissingNode() ? "empty" : "no JSON object") + ": write {\"rules\":[...]}");
        }
        return whitelist;
    }

    private static boolean applies(JsonNode rule, String path, Map<String, String> labels) throws Flaw {
        if (!Node.isSet(rule, "selector")) {
            return true;
        }
        if (!rule.path("selector").isObject()) {
            throw new Flaw("the whitelist's " + path + ".selector is no label selector: correct it");
        }
        Faults problems = new Faults();
        new SelectorRules(problems).check(rule.path("selector"), path + ".selector");
        if (problems.size() > 0) {
            Fault first = problems.list().getFirst();
            throw new Flaw("the whitelist's " + first.field() + ": " + first.text());
        }
        return Selector.of(LabelSelector.of(rule.path("selector"))).matches(labels);
    }

    private static Pattern pattern(JsonNode expression, String path) throws Flaw {
        if (!expression.isString()) {
            throw new Flaw("the whitelist's " + path + ".allowedAnnotationKeyExprs must hold strings: correct it");
        }
        try {
            return Re2.compile(expression.stringValue());
        } catch (PatternSyntaxException e) {
            throw new Flaw(
                    "the whitelist's expression " + Faults.quoted(expression.stringValue()) + " in " + path + " is no RE2 expression ("
                            + e.getDescription() + "): correct it");
        }
    }

    private static List<JsonNode> list(JsonNode node, String path) throws Flaw {
        if (!node.isArray() && !node.isNull() && !node.isMissingNode()) {
            throw new Flaw("the whitelist's " + path + " is no list: correct it");
        }
        return List.copyOf(node.values());
    }
}

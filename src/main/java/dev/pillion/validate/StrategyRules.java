package dev.pillion.validate;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import dev.pillion.api.IntOrString;
import dev.pillion.api.LabelSelector;
import dev.pillion.api.UpdateStrategy;
import dev.pillion.api.UpdateStrategy.ScatterTerm;
import dev.pillion.api.UpdateStrategy.WeightTerm;

import tools.jackson.databind.JsonNode;

/** spec.updateStrategy (validation.md 7.2) and selectors of a set (7.1). */
final class StrategyRules {
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final int MAX_WEIGHT = 100;
    private static final String PATH = "spec.updateStrategy";

    private final Faults faults;
    private final ValidateOptions options;

    StrategyRules(Faults faults, ValidateOptions options) {
        this.faults = faults;
        this.options = options;
    }

    /** Rule 7.1: the parts, not empty, and once more as a whole. */
    void selector(JsonNode selector, String path) {
        SelectorRules rules = new SelectorRules(faults);
        rules.check(selector, path);
        if (LabelSelector.of(selector).isEmpty()) {
            faults.invalid(path, "must not be empty: name at least one label");
        }
        if (!isConvertible(selector)) {
            // Compatible: reported a second time (validation.md 7.1, last row).
            faults.invalid(path + ".selector", "is no selector: correct its labels and expressions");
        }
    }

    private static boolean isConvertible(JsonNode selector) {
        Faults scratch = new Faults();
        new SelectorRules(scratch).check(selector, "");
        return scratch.size() == 0;
    }

    /**
     * Checks spec.updateStrategy.
     *
     * @param old the strategy before an update
     * @param asked the same, unless injection asks partition and selector from now on and did not before
     */
    void check(JsonNode node, Optional<JsonNode> old, Optional<JsonNode> asked) {
        UpdateStrategy strategy = UpdateStrategy.of(node);
        if (!strategy.type().equals("RollingUpdate")) {
            otherType(strategy, node, old, asked);
            return;
        }
        if (strategy.selector().isPresent() && strategy.partition().filter(StrategyRules::isPartitioned).isPresent()) {
            faults.invalid("updateStrategy", "selector and partition exclude each other: use one of them");
        }
        if (strategy.selector().isPresent()) {
            selector(node.path("selector"), PATH + ".selector");
        }
        strategy.partition().ifPresent(p -> amount(p, PATH + ".partition"));
        strategy.maxUnavailable().ifPresent(m -> amount(m, PATH + ".maxUnavailable"));
        priority(strategy, node);
        scatter(strategy);
    }

    /** Trap 9: the reference lets everything else pass, unknown types and bad amounts too. What is stored already stays. */
    private void otherType(UpdateStrategy strategy, JsonNode node, Optional<JsonNode> old, Optional<JsonNode> asked) {
        if (!options.fixes()) {
            return;
        }
        if (!strategy.isNotUpdate() && isNew(node, old, "type")) {
            faults.oneOf(PATH + ".type", strategy.type(), List.of("RollingUpdate", "NotUpdate"));
        }
        strategy.partition().filter(_ -> isNew(node, asked, "partition")).ifPresent(p -> amount(p, PATH + ".partition"));
        strategy.maxUnavailable().filter(_ -> isNew(node, old, "maxUnavailable")).ifPresent(m -> amount(m, PATH + ".maxUnavailable"));
        if (strategy.selector().isPresent() && isNew(node, asked, "selector")) {
            // With policy Partial injection asks this selector, whatever the type, and such a one refuses every pod (injection.md 5).
            Faults parts = new Faults();
            new SelectorRules(parts).check(node.path("selector"), PATH + ".selector");
            faults.addAll(parts.list().stream().filter(f -> f.field().endsWith(".operator")).toList());
        }
    }

    private static boolean isNew(JsonNode node, Optional<JsonNode> old, String member) {
        return old.filter(o -> o.path(member).equals(node.path(member))).isEmpty();
    }

    private static boolean isPartitioned(IntOrString partition) {
        return switch (partition) {
            case IntOrString.Int(int value) -> value != 0;
            case IntOrString.Text _ -> true;
        };
    }

    private void amount(IntOrString amount, String path) {
        switch (amount) {
            case IntOrString.Int(int value) when value < 0 ->
                faults.invalid(path, value + " is negative: give 0 or more, or a percentage such as 10%");
            case IntOrString.Text(String text) when !PERCENT.matcher(text).matches() ->
                faults.invalid(path, Faults.quoted(text) + " is no amount: give a whole number, or a percentage such as 10%");
            case IntOrString.Int _,IntOrString.Text _ -> {
            }
        }
    }

    private void priority(UpdateStrategy strategy, JsonNode node) {
        String path = PATH + ".priorityStrategy";
        if (!strategy.weights().isEmpty() && !strategy.orderedKeys().isEmpty()) {
            faults.required(path, "give weightPriority or orderPriority, not both");
        }
        List<JsonNode> terms = Node.items(node.path("priorityStrategy"), "weightPriority");
        for (int i = 0; i < strategy.weights().size(); i++) {
            WeightTerm term = strategy.weights().get(i);
            if (term.weight() < 0 || term.weight() > MAX_WEIGHT) {
                faults.required(path, "weight " + term.weight() + " must be 0 to " + MAX_WEIGHT);
            }
            if (term.selector().isEmpty()) {
                faults.required(path, "each weight needs a matchSelector that is not empty");
            } else if (!isConvertible(terms.get(i).path("matchSelector"))) {
                faults.required(path, "a matchSelector is not valid: correct its labels and expressions");
            }
        }
        strategy.orderedKeys().stream().filter(String::isEmpty).forEach(_ -> faults.required(path, "orderedKey must name a label"));
    }

    private void scatter(UpdateStrategy strategy) {
        String path = PATH + ".scatterStrategy";
        Set<ScatterTerm> seen = new HashSet<>();
        for (ScatterTerm term : strategy.scatter()) {
            if (term.key().isEmpty()) {
                faults.required(path, "key must name a label");
            }
            if (!seen.add(term)) {
                faults.required(path, "the term " + term.key() + "=" + term.value() + " is given twice: remove one");
            }
        }
    }
}

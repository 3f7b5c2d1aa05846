package dev.pillion.naive;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Resources worked out from the pod's containers (injection.md 9). */
final class NaiveResources {
    private final List<JsonNode> candidates;

    NaiveResources(List<JsonNode> candidates) {
        this.candidates = candidates;
    }

    ObjectNode compute(JsonNode policy) {
        Pattern regex = regex(Tree.text(policy, "targetContainersNameRegex"));
        List<JsonNode> targets = Tree.where(candidates, c -> regex.matcher(Tree.name(c)).find());
        if (targets.isEmpty()) {
            throw new Refused("resources-policy");
        }
        boolean sums = Tree.text(policy, "targetContainersMode").equals("sum");
        ObjectNode result = Tree.object();
        for (String kind : List.of("limits", "requests")) {
            for (String resource : List.of("cpu", "memory")) {
                String expression = Tree.text(policy.path("resourcesExpr").path(kind), resource);
                List<Amount> amounts = new ArrayList<>();
                targets.forEach(t -> Amount.of(Tree.text(t.path("resources").path(kind), resource)).ifPresent(amounts::add));
                boolean unlimited = kind.equals("limits") && amounts.size() < targets.size();
                if (!expression.isEmpty() && !unlimited) {
                    result.withObject("/" + kind).put(resource, evaluate(expression, sums ? sum(amounts) : greatest(amounts)));
                }
            }
        }
        return result;
    }

    private static Pattern regex(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new Refused("resources-policy");
        }
    }

    private static Amount sum(List<Amount> amounts) {
        Amount sum = Amount.ZERO;
        for (Amount amount : amounts) {
            sum = sum.plus(amount);
        }
        return sum;
    }

    private static Amount greatest(List<Amount> amounts) {
        Amount greatest = null;
        for (Amount amount : amounts) {
            greatest = greatest == null ? amount : greatest.max(amount);
        }
        return greatest == null ? Amount.ZERO : greatest;
    }

    private static String evaluate(String expression, Amount variable) {
        UnaryOperator<Amount> known = Expressions.KNOWN.get(expression);
        if (known == null) {
            throw new Refused("resources-policy");
        }
        Amount result = known.apply(variable);
        if (result.isNegative()) {
            throw new Refused("resources-policy");
        }
        return result.print();
    }
}

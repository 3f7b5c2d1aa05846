package dev.pillion.validate;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/** A label selector in the object itself (core-validation.md 10, validation.md 7.1). */
final class SelectorRules {
    private final Faults faults;

    SelectorRules(Faults faults) {
        this.faults = faults;
    }

    void check(JsonNode selector, String path) {
        labels(selector, "matchLabels", path + ".matchLabels");
        List<JsonNode> expressions = Node.items(selector, "matchExpressions");
        for (int k = 0; k < expressions.size(); k++) {
            expression(expressions.get(k), path + ".matchExpressions[" + k + "]");
        }
    }

    /** Keys and values of a map of labels. */
    void labels(JsonNode object, String member, String path) {
        for (Map.Entry<String, JsonNode> label : Node.entries(object, member)) {
            faults.invalidEach(path, Formats.qualifiedName(label.getKey()));
            faults.invalidEach(path, Formats.labelValue(label.getValue().asString("")));
        }
    }

    private void expression(JsonNode expression, String path) {
        List<String> values = Node.texts(expression, "values");
        String operator = Node.text(expression, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    faults.required(path + ".values", operator + " needs at least one value");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    faults.forbidden(path + ".values", operator + " takes no values: remove them");
                }
            }
            default ->
                faults.invalid(path + ".operator", Faults.quoted(operator) + " is no operator: use In, NotIn, Exists or DoesNotExist");
        }
        faults.invalidEach(path + ".key", Formats.qualifiedName(Node.text(expression, "key")));
        for (int m = 0; m < values.size(); m++) {
            faults.invalidEach(path + ".values[" + m + "]", Formats.labelValue(values.get(m)));
        }
    }
}

package dev.pillion.inject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import dev.pillion.api.Json;
import dev.pillion.expr.Expression;
import dev.pillion.expr.Expression.Outcome;
import dev.pillion.expr.Expression.VariableSearch;
import dev.pillion.expr.Quantity;
import dev.pillion.expr.Re2;
import dev.pillion.match.CompiledContainer;
import dev.pillion.match.CompiledSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes a sidecar's resources from those of the pod's containers (injection.md 9).
 *
 * @param chosen sets whose containers are no targets, nor are others of their names
 */
record ResourcesPolicy(RawPod pod, PodFacts facts, List<CompiledSet> chosen, VariableSearch search) {
    private static final List<String> RESOURCES = List.of("cpu", "memory");

    /** The whole resources object, which replaces the declared one. */
    ObjectNode compute(CompiledSet set, CompiledContainer container, JsonNode policy) throws RefusedException {
        String where = "SidecarSet " + set.name() + ", container " + container.name();
        List<JsonNode> targets = targets(where, Json.text(policy, "targetContainersNameRegex"));
        boolean sums = Json.text(policy, "targetContainersMode").equals("sum");
        JsonNode expressions = policy.path("resourcesExpr");
        ObjectNode limits = Json.object();
        ObjectNode requests = Json.object();
        for (String resource : RESOURCES) {
            String limit = Json.text(expressions.path("limits"), resource);
            List<Quantity> limited = quantities(targets, "limits", resource);
            // Compatible: one target without limit is unlimited, and then even a constant is dropped (trap 17).
            if (!limit.isEmpty() && limited.size() == targets.size()) {
                limits.put(resource, evaluate(where, "limits." + resource, limit, aggregate(limited, sums)));
            }
            String request = Json.text(expressions.path("requests"), resource);
            if (!request.isEmpty()) {
                requests.put(resource,
                        evaluate(where, "requests." + resource, request, aggregate(quantities(targets, "requests", resource), sums)));
            }
        }
        ObjectNode resources = Json.object();
        if (!limits.isEmpty()) {
            resources.set("limits", limits);
        }
        if (!requests.isEmpty()) {
            resources.set("requests", requests);
        }
        return resources;
    }

    private List<JsonNode> targets(String where, String regex) throws RefusedException {
        Pattern pattern;
        try {
            pattern = Re2.compile(regex);
        } catch (PatternSyntaxException e) {
            throw RefusedException.of(Reason.RESOURCES_POLICY,
                    where + ": targetContainersNameRegex \"" + regex + "\" is no RE2 expression: " + e.getDescription());
        }
        Set<String> sidecars = new HashSet<>();
        for (CompiledSet set : chosen) {
            set.containers().forEach(c -> sidecars.add(c.name()));
            set.initContainers().forEach(c -> sidecars.add(c.name()));
        }
        List<String> names = new ArrayList<>();
        List<JsonNode> targets = new ArrayList<>();
        for (JsonNode container : facts.resourceTargets()) {
            String name = Parts.name(container);
            if (!sidecars.contains(name)) {
                names.add(name);
                if (pattern.matcher(name).find()) {
                    targets.add(container);
                }
            }
        }
        if (targets.isEmpty()) {
            throw RefusedException.of(Reason.RESOURCES_POLICY, where + ": targetContainersNameRegex \"" + regex
                    + "\" matches no container of Pod " + pod.describe() + " " + names
                    + "; correct the expression or narrow spec.selector");
        }
        return targets;
    }

    private static List<Quantity> quantities(List<JsonNode> targets, String kind, String resource) {
        List<Quantity> found = new ArrayList<>();
        for (JsonNode target : targets) {
            JsonNode value = target.path("resources").path(kind).path(resource);
            if (!Parts.isAbsent(value)) {
                Quantity.parse(value.asString("").strip()).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Missing ones count as zero: they add nothing to a sum and win no maximum. */
    private static Quantity aggregate(List<Quantity> quantities, boolean sums) {
        Optional<Quantity> result = Optional.empty();
        for (Quantity quantity : quantities) {
            if (sums) {
                result = Optional.of(result.orElse(Quantity.ZERO).plus(quantity));
            } else if (result.isEmpty() || quantity.compareTo(result.get()) > 0) {
                result = Optional.of(quantity);
            }
        }
        return result.orElse(Quantity.ZERO);
    }

    private String evaluate(String where, String field, String text, Quantity aggregate) throws RefusedException {
        return switch (Expression.of(text).evaluate(aggregate, search)) {
            case Outcome.Amount(Quantity quantity) -> quantity.toString();
            case Outcome.Fault(String why) -> throw RefusedException.of(Reason.RESOURCES_POLICY,
                    where + ": resourcesExpr." + field + " \"" + text + "\" with " + aggregate + " of Pod " + pod.describe() + ": " + why);
        };
    }
}

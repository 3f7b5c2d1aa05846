package dev.pillion.validate;

import java.util.List;
import java.util.Optional;

import com.google.re2j.PatternSyntaxException;

import dev.pillion.expr.Expression;
import dev.pillion.expr.Re2;

import tools.jackson.databind.JsonNode;

/** What SidecarSet adds to a container (validation.md 8, 8.1, 8.2). */
final class SidecarRules {
    private static final String LABELS = "metadata.labels";
    private static final List<String> KEYED = List.of(LABELS, "metadata.annotations");

    private final Faults faults;
    private final ValidateOptions options;

    SidecarRules(Faults faults, ValidateOptions options) {
        this.faults = faults;
        this.options = options;
    }

    /**
     * Compatible: paths of these rules read spec[i] or spec.container (trap 8).
     *
     * @param earlier the container of that name before the update, missing when there was none
     */
    void init(JsonNode container, JsonNode earlier, int i) {
        if (Node.isSet(container, "resourcesPolicy")) {
            String path = "spec[" + i + "].resourcesPolicy";
            if (!Node.text(container, "restartPolicy").equals("Always")) {
                faults.invalid(path, "needs a native sidecar (restartPolicy: Always)");
            }
            resources(container, earlier, path);
        }
    }

    void regular(JsonNode container, JsonNode earlier, int i) {
        String policy = Node.text(container, "podInjectPolicy");
        if (!policy.equals("BeforeAppContainer") && !policy.equals("AfterAppContainer")) {
            faults.invalid("spec.container.podInjectPolicy",
                    Faults.quoted(policy) + " is unknown: use BeforeAppContainer or AfterAppContainer");
        }
        String share = Node.text(container.path("shareVolumePolicy"), "type");
        if (!share.equals("enabled") && !share.equals("disabled")) {
            faults.invalid("spec.container.shareVolumePolicy", Faults.quoted(share) + " is unknown: use enabled or disabled");
        }
        for (JsonNode transfer : Node.items(container, "transferEnv")) {
            JsonNode from = transfer.path("sourceContainerNameFrom");
            String path = "spec[" + i + "].transferEnv.fieldRef";
            if (Node.isSet(from, "fieldRef")) {
                source(from.path("fieldRef"), path);
            } else if (from.isObject() && options.fixes()) {
                // Trap 2: the reference dies of it.
                faults.required(path, "sourceContainerNameFrom needs a fieldRef: add one, or use sourceContainerName");
            }
        }
        if (Node.isSet(container, "resourcesPolicy")) {
            resources(container, earlier, "spec[" + i + "].resourcesPolicy");
        }
    }

    private void source(JsonNode ref, String path) {
        String fieldPath = Node.text(ref, "fieldPath");
        if (!faults.present(path + ".apiVersion", Node.text(ref, "apiVersion")) || !faults.present(path + ".fieldPath", fieldPath)) {
            return;
        }
        int bracket = fieldPath.endsWith("']") ? fieldPath.substring(0, fieldPath.length() - 2).indexOf("['") : -1;
        String base = bracket > 0 ? fieldPath.substring(0, bracket) : "";
        if (!Node.text(ref, "apiVersion").equals("v1") || !KEYED.contains(base)) {
            faults.invalid(path + ".fieldPath",
                    Faults.quoted(fieldPath) + " must be metadata.labels['KEY'] or metadata.annotations['KEY']");
            return;
        }
        String key = fieldPath.substring(bracket + 2, fieldPath.length() - 2);
        faults.invalidEach(path, Formats.qualifiedName(base.equals(LABELS) ? key : Formats.lowerCase(key)));
    }

    private void resources(JsonNode container, JsonNode earlier, String path) {
        JsonNode resources = container.path("resources");
        if (!resources.path("limits").isEmpty() || !resources.path("requests").isEmpty()) {
            faults.invalid(path, "resourcesPolicy computes the resources: remove resources.limits and resources.requests");
            return;
        }
        JsonNode policy = container.path("resourcesPolicy");
        String regex = Node.text(policy, "targetContainersNameRegex");
        if (faults.present(path + ".targetContainersNameRegex", regex)) {
            unreadable(regex).ifPresent(why -> faults.invalid(path + ".targetContainersNameRegex",
                    Faults.quoted(regex) + " is no RE2 expression: " + why));
        }
        JsonNode expressions = policy.path("resourcesExpr");
        if (!Node.isSet(expressions, "limits") && !Node.isSet(expressions, "requests")) {
            faults.invalid(path + ".resourcesExpr", "needs limits or requests");
        }
        JsonNode before = earlier.path("resourcesPolicy").path("resourcesExpr");
        for (String list : List.of("limits", "requests")) {
            for (String resource : List.of("cpu", "memory")) {
                String text = Node.text(expressions.path(list), resource);
                if (!text.isEmpty()) {
                    boolean kept = text.equals(Node.text(before.path(list), resource));
                    problem(Expression.of(text), resource, kept)
                            .ifPresent(problem -> faults.invalid(path + ".resourcesExpr." + list + "." + resource, problem));
                }
            }
        }
    }

    /** Traps 17 and 18: judged by kinds. What the reference accepted once may stay, so that such sets can still be updated. */
    private Optional<String> problem(Expression expression, String resource, boolean kept) {
        if (!options.fixes()) {
            return expression.check(resource);
        }
        return expression.lint(resource).filter(_ -> !kept || expression.check(resource).isPresent());
    }

    private static Optional<String> unreadable(String regex) {
        try {
            Re2.compile(regex);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(e.getDescription());
        }
    }
}

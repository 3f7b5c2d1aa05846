package dev.pillion.sandbox;

import java.util.List;

import dev.pillion.sandbox.AdmissionAttributes.Persistence;
import dev.pillion.sandbox.WriteOptions.FieldValidation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the options of a write from its URL and, for DELETE, from its body. */
final class RequestOptions {

    private RequestOptions() {
    }

    static WriteOptions of(Exchange exchange, String kind) {
        return of(exchange, kind, Trees.object());
    }

    /** @param body DeleteOptions, or empty */
    static WriteOptions of(Exchange exchange, String kind, ObjectNode body) {
        Parameters parameters = exchange.parameters();
        List<String> dryRun = parameters.all("dryRun").isEmpty()
                ? body.path("dryRun").valueStream().map(JsonNode::asString).toList()
                : parameters.all("dryRun");
        if (!dryRun.isEmpty() && !dryRun.equals(List.of("All"))) {
            throw ApiError.invalidOption(kind,
                    Cause.notSupported("dryRun", "[\"" + String.join("\",\"", dryRun) + "\"]", "\"All\""));
        }
        FieldValidation validation = switch (parameters.text("fieldValidation")) {
            case "Strict" -> FieldValidation.STRICT;
            case "Ignore" -> FieldValidation.IGNORE;
            case "", "Warn" -> FieldValidation.WARN;
            default -> throw ApiError.invalidOption(kind, Cause.notSupported("fieldValidation",
                    Names.quoted(parameters.text("fieldValidation")), "\"Ignore\", \"Strict\", \"Warn\""));
        };
        String manager = parameters.text("fieldManager");
        if (manager.isEmpty() && !exchange.contentType().equals("application/apply-patch+yaml")) {
            String agent = exchange.header("User-Agent");
            int slash = agent.indexOf('/');
            manager = slash < 0 ? agent : agent.substring(0, slash);
        }
        ObjectNode options = body.deepCopy();
        options.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        if (!dryRun.isEmpty()) {
            options.putArray("dryRun").add("All");
        }
        if (!kind.equals("DeleteOptions")) {
            options.put("fieldManager", manager);
            if (!parameters.text("fieldValidation").isEmpty()) {
                options.put("fieldValidation", parameters.text("fieldValidation"));
            }
        }
        return new WriteOptions(dryRun.isEmpty() ? Persistence.STORED : Persistence.DRY_RUN, manager,
                parameters.flag("force") ? ApplyPatch.Conflicts.FORCE : ApplyPatch.Conflicts.REFUSE, validation, options, exchange.caller(),
                exchange::warn);
    }

    /** DeleteOptions from the body, with the parameters of the URL on top. */
    static ObjectNode deletion(Exchange exchange) {
        ObjectNode options = exchange.body().length == 0
                ? Trees.object()
                : Trees.body(exchange.body()) instanceof ObjectNode object ? object : Trees.object();
        Parameters parameters = exchange.parameters();
        if (!parameters.text("gracePeriodSeconds").isEmpty()) {
            options.put("gracePeriodSeconds", parameters.number("gracePeriodSeconds"));
        }
        if (!parameters.text("propagationPolicy").isEmpty()) {
            options.put("propagationPolicy", parameters.text("propagationPolicy"));
        }
        if (!parameters.text("orphanDependents").isEmpty()) {
            options.put("orphanDependents", parameters.flag("orphanDependents"));
        }
        return options;
    }
}

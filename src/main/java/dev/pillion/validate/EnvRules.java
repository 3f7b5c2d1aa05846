package dev.pillion.validate;

import java.util.List;

import dev.pillion.validate.FieldRefRules.Place;

import tools.jackson.databind.JsonNode;

/** Variables of a container (core-validation.md 4.2, 4.3). Values never appear in texts. */
final class EnvRules {
    private static final List<String> SOURCES = List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef");

    private final Faults faults;
    private final FieldRefRules references;

    EnvRules(Faults faults) {
        this.faults = faults;
        this.references = new FieldRefRules(faults);
    }

    void env(JsonNode container, String containerPath) {
        List<JsonNode> variables = Node.items(container, "env");
        for (int j = 0; j < variables.size(); j++) {
            variable(variables.get(j), containerPath + ".env[" + j + "]");
        }
        List<JsonNode> sources = Node.items(container, "envFrom");
        for (int j = 0; j < sources.size(); j++) {
            source(sources.get(j), containerPath, containerPath + ".envFrom[" + j + "]");
        }
    }

    private void variable(JsonNode variable, String path) {
        String name = Node.text(variable, "name");
        if (faults.present(path + ".name", name)) {
            faults.invalidEach(path + ".name", Formats.envName(name));
        }
        if (!Node.isSet(variable, "valueFrom")) {
            return;
        }
        JsonNode from = variable.path("valueFrom");
        String at = path + ".valueFrom";
        long given = SOURCES.stream().filter(s -> Node.isSet(from, s)).count();
        if (given != 1 || !Node.text(variable, "value").isEmpty()) {
            faults.invalid(at, "give either a value or exactly one source of " + String.join(", ", SOURCES));
        }
        if (Node.isSet(from, "fieldRef")) {
            references.field(from.path("fieldRef"), at + ".fieldRef", Place.ENV);
        }
        if (Node.isSet(from, "resourceFieldRef")) {
            references.resource(from.path("resourceFieldRef"), at + ".resourceFieldRef", Place.ENV);
        }
        for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
            if (Node.isSet(from, kind)) {
                key(from.path(kind), at + "." + kind);
            }
        }
    }

    private void key(JsonNode ref, String path) {
        faults.invalidEach(path + ".name", Formats.subdomain(Node.text(ref, "name")));
        String key = Node.text(ref, "key");
        if (faults.present(path + ".key", key)) {
            faults.invalidEach(path + ".key", Formats.configKey(key));
        }
    }

    private void source(JsonNode source, String containerPath, String path) {
        String prefix = Node.text(source, "prefix");
        if (!prefix.isEmpty()) {
            faults.invalidEach(path + ".prefix", Formats.envName(prefix));
        }
        int given = 0;
        for (String kind : List.of("configMapRef", "secretRef")) {
            if (Node.isSet(source, kind)) {
                given++;
                String name = Node.text(source.path(kind), "name");
                if (faults.present(path + "." + kind + ".name", name)) {
                    faults.invalidEach(path + "." + kind + ".name", Formats.subdomainPrefix(name));
                }
            }
        }
        if (given != 1) {
            faults.invalid(containerPath + ".envFrom", "each entry needs exactly one of configMapRef, secretRef");
        }
    }
}

package dev.pillion.app;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What roles give, one grant for each verb and resource, compared with what an audit log shows as asked for. */
record Rights(List<Grant> grants) {

    /**
     * One right.
     *
     * @param role kind and name, as in "Role pillion"; what a Role gives holds in one namespace
     * @param resource with its sub-resource, as in "pods/status"
     * @param names empty: all objects
     */
    record Grant(String role, String verb, String group, String resource, Set<String> names) {
        @Override
        public String toString() {
            return role + ": " + verb + " " + resource;
        }
    }

    static Rights of(Stream<ObjectNode> roles) {
        List<Grant> grants = new ArrayList<>();
        roles.filter(r -> Json.text(r, "kind").endsWith("Role")).forEach(role -> {
            for (JsonNode rule : role.path("rules")) {
                for (String group : texts(rule.path("apiGroups"))) {
                    for (String resource : texts(rule.path("resources"))) {
                        for (String verb : texts(rule.path("verbs"))) {
                            grants.add(new Grant(Json.text(role, "kind") + " " + Install.name(role), verb, group, resource,
                                    new LinkedHashSet<>(texts(rule.path("resourceNames")))));
                        }
                    }
                }
            }
        });
        return new Rights(List.copyOf(grants));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::stringValue).toList();
    }

    /** The narrowest right that allows the audited request of an object; empty when none does. */
    Optional<Grant> allowing(JsonNode auditEvent, String ownNamespace) {
        JsonNode object = auditEvent.path("objectRef");
        String subresource = Json.text(object, "subresource");
        String resource = Json.text(object, "resource") + (subresource.isEmpty() ? "" : "/" + subresource);
        List<Grant> fitting = grants.stream()
                .filter(g -> g.verb.equals(Json.text(auditEvent, "verb")) && g.group.equals(Json.text(object, "apiGroup"))
                        && g.resource.equals(resource) && (g.names.isEmpty() || g.names.contains(Json.text(object, "name")))
                        && (!g.role.startsWith("Role ") || Json.text(object, "namespace").equals(ownNamespace)))
                .toList();
        return fitting.stream().filter(g -> g.role.startsWith("Role ")).findFirst().or(() -> fitting.stream().findFirst());
    }
}

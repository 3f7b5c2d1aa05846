package dev.pillion.sandbox;

import java.util.Base64;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Secrets: stringData becomes data, the type is Opaque by default and never changes. */
final class SecretRules implements TypeRules {

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        if (object.remove("stringData") instanceof ObjectNode texts) {
            ObjectNode data = Trees.child(object, "data");
            texts.properties().forEach(entry -> data.put(entry.getKey(),
                    Base64.getEncoder().encodeToString(entry.getValue().asString().getBytes(java.nio.charset.StandardCharsets.UTF_8))));
        }
        if (Trees.isAbsent(object.path("type"))) {
            object.put("type", "Opaque");
        }
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        JsonNode type = object.path("type");
        return type.equals(old.path("type")) ? List.of() : List.of(Cause.invalid("type", type.toString(), "field is immutable"));
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        return PlainRules.paths(List.of("type"));
    }
}

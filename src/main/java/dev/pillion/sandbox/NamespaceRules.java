package dev.pillion.sandbox;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.node.ObjectNode;

/** Namespaces: the finalizer `kubernetes`, the phase, and the label with the own name. */
final class NamespaceRules implements TypeRules {
    static final String NAME_LABEL = "kubernetes.io/metadata.name";

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        String name = Trees.name(object);
        if (!name.isEmpty()) {
            Trees.child(Trees.metadata(object), "labels").put(NAME_LABEL, name);
        }
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        Trees.child(object, "spec").putArray("finalizers").add("kubernetes");
        object.putObject("status").put("phase", "Active");
    }

    @Override
    public void prepareUpdate(ObjectNode object, ObjectNode old) {
        Trees.setOrRemove(object, "spec", old.path("spec"));
    }

    @Override
    public Map<String, List<String>> selectableFields() {
        return PlainRules.paths(List.of("status.phase"));
    }
}

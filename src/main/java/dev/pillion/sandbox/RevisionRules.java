package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** ControllerRevisions: the data never changes, the revision number is 0 or more. */
final class RevisionRules implements TypeRules {

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        JsonNode revision = object.path("revision");
        if (revision.isNumber() && revision.longValue() < 0) {
            faults.add(Cause.invalid("revision", revision.toString(), "must be greater than or equal to 0"));
        }
        if (Trees.isAbsent(object.path("data"))) {
            faults.add(Cause.required("data", "data is mandatory"));
        }
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        List<Cause> faults = new ArrayList<>(validateCreate(object));
        if (!object.path("data").equals(old.path("data"))) {
            faults.add(Cause.invalid("data", object.path("data").toString(), "field is immutable"));
        }
        return faults;
    }

    @Override
    public void applyDefaults(ObjectNode object, String version) {
        if (Trees.isAbsent(object.path("revision"))) {
            object.put("revision", 0);
        }
    }
}

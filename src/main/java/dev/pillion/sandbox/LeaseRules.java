package dev.pillion.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Leases: a PUT needs the resourceVersion of a Lease that is there, and creates one that is not. */
final class LeaseRules implements TypeRules {

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.CREATE_ON_UPDATE);
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        List<Cause> faults = new ArrayList<>();
        positive(object, "leaseDurationSeconds", faults);
        JsonNode transitions = Trees.at(object, "spec", "leaseTransitions");
        if (transitions.isNumber() && transitions.longValue() < 0) {
            faults.add(Cause.invalid("spec.leaseTransitions", transitions.toString(), "must be greater than or equal to 0"));
        }
        return faults;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        return validateCreate(object);
    }

    private static void positive(ObjectNode object, String member, List<Cause> faults) {
        JsonNode value = Trees.at(object, "spec", member);
        if (value.isNumber() && value.longValue() <= 0) {
            faults.add(Cause.invalid("spec." + member, value.toString(), "must be greater than 0"));
        }
    }
}

package dev.pillion.sandbox;

import java.util.function.Consumer;

import dev.pillion.sandbox.AdmissionAttributes.Persistence;

import tools.jackson.databind.node.ObjectNode;

/**
 * How to write.
 *
 * @param manager fieldManager, or the first part of the user agent
 * @param options the options object that admission is shown
 * @param warnings takes texts for Warning headers
 */
record WriteOptions(Persistence persistence, String manager, ApplyPatch.Conflicts conflicts, FieldValidation validation, ObjectNode options,
        Caller caller, Consumer<String> warnings) {

    /** What becomes of fields that a type does not have. */
    enum FieldValidation {
        IGNORE, WARN, STRICT
    }

    /** Admission is told what is done to the object, whether by PUT, POST or PATCH. */
    ObjectNode shownAs(String kind) {
        ObjectNode shown = options.deepCopy();
        shown.put("kind", kind).remove("force");
        return shown;
    }

    boolean isDryRun() {
        return persistence == Persistence.DRY_RUN;
    }
}

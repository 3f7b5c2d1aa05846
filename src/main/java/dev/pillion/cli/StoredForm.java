package dev.pillion.cli;

import dev.pillion.api.Conversion;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;

import tools.jackson.databind.node.ObjectNode;

/** A SidecarSet of a file as the API server would store it: defaulted with both hashes in its own version, then converted to v1beta1. */
final class StoredForm {
    private static final String CREATE = "CREATE";

    private StoredForm() {
    }

    /** Whether the manifest is a SidecarSet of a known version. */
    static boolean isSet(Manifest manifest) {
        return manifest.kind().equals(Wire.KIND)
                && (manifest.apiVersion().equals(Wire.V1BETA1) || manifest.apiVersion().equals(Wire.V1ALPHA1));
    }

    /** @throws InputFault naming the field that cannot be read */
    static SidecarSet of(Manifest manifest) throws InputFault {
        String version = manifest.apiVersion().equals(Wire.V1ALPHA1) ? "v1alpha1" : "v1beta1";
        ObjectNode defaulted = switch (SetDefaults.apply(manifest.object(), version, CREATE, SetDefaults.Unknown.KEEP)) {
            case Defaulting.Patch(_, ObjectNode result) -> result;
            case Defaulting.Unchanged _ -> manifest.object();
            case Defaulting.Refuse(_, String message) -> throw manifest.fault(message);
        };
        if (manifest.apiVersion().equals(Wire.V1BETA1)) {
            return SidecarSet.of(defaulted);
        }
        return switch (Conversion.convert(defaulted, Wire.V1BETA1, Conversion.Mode.LOSSLESS)) {
            case Conversion.Outcome.Converted(ObjectNode hub) -> SidecarSet.of(hub);
            case Conversion.Outcome.Refused(String message) -> throw manifest.fault(message);
        };
    }
}

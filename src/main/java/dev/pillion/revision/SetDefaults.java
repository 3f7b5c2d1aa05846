package dev.pillion.revision;

import java.util.List;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.MemberTable;
import dev.pillion.api.PatchOp;
import dev.pillion.api.TypedDecode;
import dev.pillion.api.TypedTree;
import dev.pillion.api.Wire;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The mutating SidecarSet webhook as a function: defaults and both hash annotations (validation.md 3). */
public final class SetDefaults {
    private static final int BAD_REQUEST = 400;

    /** What happens to the members this version does not know (api.md trap 7, validation.md traps 20, 21). */
    public enum Unknown {
        /** As the reference: the object becomes its typed encoding, status zeros included. */
        DROP,
        /** They stay, and nothing is added that no default asks for. */
        KEEP
    }

    private SetDefaults() {
    }

    /**
     * 1. Unknown version: refused. 2. Operations other than CREATE and UPDATE: unchanged. 3. An object that does not decode: refused.
     * 4. Defaults. 5. Both hashes, whatever the user wrote there.
     *
     * @param version "v1beta1" or "v1alpha1", as requested
     */
    public static Defaulting apply(JsonNode object, String version, String operation, Unknown unknown) {
        Optional<MemberTable> table = table(version);
        if (table.isEmpty()) {
            return new Defaulting.Refuse(BAD_REQUEST, "SidecarSet has version " + version + "; v1beta1 and v1alpha1 are served");
        }
        if (!operation.equals("CREATE") && !operation.equals("UPDATE")) {
            return new Defaulting.Unchanged();
        }
        Optional<TypedDecode.Misfit> misfit = TypedDecode.checkSidecarSet(object, table.get());
        if (misfit.isPresent()) {
            return new Defaulting.Refuse(BAD_REQUEST, "SidecarSet " + Json.text(object.path("metadata"), "name")
                    + " cannot be read: " + misfit.get().path() + " " + misfit.get().text());
        }
        ObjectNode result = unknown == Unknown.DROP ? known(object, table.get()) : tidied(object, table.get());
        spec(result.withObjectProperty("spec"));
        ObjectNode annotations = result.withObjectProperty("metadata").withObjectProperty("annotations");
        ObjectNode hashed = result;
        if (unknown == Unknown.DROP && object.path("spec").path("containers").isArray() && !result.path("spec").has("containers")) {
            // Compatible: the typed encoding leaves out an empty list, but it was there when the reference took the hash (api.md trap 2).
            hashed = result.deepCopy();
            hashed.withObjectProperty("spec").putArray("containers");
        }
        annotations.put(Wire.HASH, SetHash.hash(hashed)).put(Wire.HASH_WITHOUT_IMAGE, SetHash.hashWithoutImage(hashed));
        List<PatchOp> operations = TreePatch.between(object, result);
        return operations.isEmpty() ? new Defaulting.Unchanged() : new Defaulting.Patch(operations, result);
    }

    /** Member table of a served version. */
    public static Optional<MemberTable> table(String version) {
        return switch (version) {
            case "v1beta1" -> Optional.of(MemberTable.V1BETA1);
            case "v1alpha1" -> Optional.of(MemberTable.V1ALPHA1);
            default -> Optional.empty();
        };
    }

    private static ObjectNode known(JsonNode object, MemberTable table) {
        ObjectNode result = Json.object();
        for (String member : List.of("kind", "apiVersion")) {
            if (!Json.text(object, member).isEmpty()) {
                result.put(member, Json.text(object, member));
            }
        }
        result.set("metadata", TypedTree.known(object.path("metadata"), "ObjectMeta", table));
        result.set("spec", TypedTree.known(object.path("spec"), "SidecarSetSpec", table));
        result.set("status", TypedTree.known(object.path("status"), "SidecarSetStatus", table));
        return result;
    }

    private static ObjectNode tidied(JsonNode object, MemberTable table) {
        ObjectNode result = (ObjectNode) object.deepCopy();
        for (String member : List.of("metadata", "spec")) {
            if (!result.path(member).isObject()) {
                result.putObject(member);
            }
        }
        if (result.path("metadata").path("annotations").isNull()) {
            ((ObjectNode) result.path("metadata")).remove("annotations");
        }
        result.set("spec", TypedTree.tidy(result.path("spec"), "SidecarSetSpec", table));
        return result;
    }

    private static void spec(ObjectNode spec) {
        ObjectNode update = spec.withObjectProperty("updateStrategy");
        ContainerDefaults.text(update, "type", "RollingUpdate");
        absent(update, "maxUnavailable", 1);
        absent(update, "partition", 0);
        absent(spec, "revisionHistoryLimit", 10);
        for (JsonNode container : spec.path("initContainers")) {
            ContainerDefaults.apply((ObjectNode) container, "AfterAppContainer");
        }
        for (JsonNode container : spec.path("containers")) {
            ContainerDefaults.apply((ObjectNode) container, "BeforeAppContainer");
        }
        for (JsonNode volume : spec.path("volumes")) {
            VolumeDefaults.apply((ObjectNode) volume);
        }
        for (JsonNode patch : spec.path("patchPodMetadata")) {
            ContainerDefaults.text(patch, "patchPolicy", "Retain");
        }
        ContainerDefaults.text(spec.path("injectionStrategy").path("revision"), "policy", "Always");
    }

    private static void absent(ObjectNode object, String member, int value) {
        if (!object.has(member)) {
            object.put(member, value);
        }
    }
}

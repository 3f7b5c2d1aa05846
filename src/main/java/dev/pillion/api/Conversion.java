package dev.pillion.api;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Conversion between v1alpha1 and v1beta1 (api.md 3). The stored form is the reference's; an annotation on the v1beta1 object remembers
 * what v1alpha1 said, so that every v1alpha1 object comes back as written (FR-52).
 */
public final class Conversion {

    /** What is carried over. */
    public enum Mode {
        /** Rules R1 to R5: through the typed structs, so unknown members vanish. */
        REFERENCE,
        /** Rules R1 to R4, S1 and S2: nothing is lost. */
        LOSSLESS
    }

    /** The converted object, or why there is none. */
    public sealed interface Outcome {
        record Converted(ObjectNode object) implements Outcome {
        }

        record Refused(String message) implements Outcome {
        }
    }

    private Conversion() {
    }

    /** Converts one object; the argument is not changed. Equal versions, other groups and other kinds are refused. */
    public static Outcome convert(JsonNode object, String desiredApiVersion, Mode mode) {
        String apiVersion = Json.text(object, "apiVersion");
        String name = Json.text(object.path("metadata"), "name");
        if (!(object instanceof ObjectNode source) || !Json.text(object, "kind").equals(Wire.KIND)) {
            return new Outcome.Refused("only SidecarSets are converted here, not kind " + Json.text(object, "kind"));
        }
        if (apiVersion.equals(desiredApiVersion)) {
            return new Outcome.Refused("SidecarSet " + name + " already has version " + apiVersion);
        }
        boolean toHub = apiVersion.equals(Wire.V1ALPHA1) && desiredApiVersion.equals(Wire.V1BETA1);
        if (!toHub && !(apiVersion.equals(Wire.V1BETA1) && desiredApiVersion.equals(Wire.V1ALPHA1))) {
            return new Outcome.Refused("SidecarSet " + name + " cannot be converted from " + apiVersion + " to " + desiredApiVersion);
        }
        for (String member : List.of("/metadata", "/metadata/labels", "/metadata/annotations", "/spec")) {
            JsonNode value = source.at(member);
            if (!value.isObject() && !value.isNull() && !value.isMissingNode()) {
                return new Outcome.Refused(
                        "SidecarSet " + name + " cannot be converted: " + member.substring(1).replace('/', '.') + " must be an object");
            }
        }
        ObjectNode result = source.deepCopy();
        result.put("apiVersion", desiredApiVersion);
        if (toHub) {
            AlphaStore.Lost lost = toHub(result);
            if (mode == Mode.LOSSLESS) {
                AlphaStore.write(result, lost);
            }
        } else {
            Optional<JsonNode> recorded = mode == Mode.LOSSLESS ? AlphaStore.take(result) : Optional.empty();
            fromHub(result);
            recorded.ifPresent(r -> AlphaStore.restore(result, r));
        }
        return mode == Mode.LOSSLESS
                ? new Outcome.Converted(result)
                : typed(result, toHub ? MemberTable.V1BETA1 : MemberTable.V1ALPHA1);
    }

    /** R1, R2. Answers what they drop. */
    private static AlphaStore.Lost toHub(ObjectNode object) {
        String namespace = "";
        Optional<JsonNode> droppedSelector = Optional.empty();
        if (object.path("spec") instanceof ObjectNode spec) {
            namespace = Json.text(spec, "namespace");
            spec.remove("namespace");
            if (!namespace.isEmpty()) {
                JsonNode given = spec.path("namespaceSelector");
                droppedSelector = given.isObject() ? Optional.of(given) : Optional.empty();
                spec.set("namespaceSelector", AlphaStore.selectorOf(namespace));
            }
        }
        Optional<String> label = Optional.empty();
        if (object.path("metadata").path("labels") instanceof ObjectNode labels && labels.has(Wire.CUSTOM_VERSION_LABEL)) {
            String value = Json.text(labels, Wire.CUSTOM_VERSION_LABEL);
            label = Optional.of(value);
            labels.remove(Wire.CUSTOM_VERSION_LABEL);
            if (labels.isEmpty()) {
                ((ObjectNode) object.path("metadata")).remove("labels");
            }
            if (!value.isEmpty()) {
                object.withObjectProperty("spec").put("customVersion", value);
            }
        }
        return new AlphaStore.Lost(namespace, droppedSelector, label.filter(String::isEmpty));
    }

    /** R3, R4. */
    private static void fromHub(ObjectNode object) {
        if (object.path("spec") instanceof ObjectNode spec) {
            String customVersion = Json.text(spec, "customVersion");
            spec.remove("customVersion");
            if (!customVersion.isEmpty()) {
                AlphaStore.labels(object).put(Wire.CUSTOM_VERSION_LABEL, customVersion);
            }
        }
    }

    /** R5. */
    private static Outcome typed(ObjectNode object, MemberTable table) {
        ObjectNode result = Json.object();
        result.put("kind", Wire.KIND).set("apiVersion", object.path("apiVersion"));
        result.set("metadata", TypedTree.known(object.path("metadata"), "ObjectMeta", table));
        result.set("spec", TypedTree.known(object.path("spec"), "SidecarSetSpec", table));
        result.set("status", TypedTree.known(object.path("status"), "SidecarSetStatus", table));
        return new Outcome.Converted(result);
    }
}

package dev.pillion.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.node.ObjectNode;

/** Sets written shortly, with ' for ", defaulted as in a cluster; and verdicts on them. */
final class Verdicts {
    private final List<SidecarSet> existing = new ArrayList<>();
    private ValidateOptions options = ValidateOptions.PILLION;
    private Pinned pinned = Pinned.FOUND;
    private Optional<String> whitelist = Optional.empty();

    /** A set of that name whose spec has a selector app=web unless given. */
    static ObjectNode set(String name, String spec) {
        return set("{'name':'" + name + "'}", spec, "");
    }

    static ObjectNode canary(String name, String base, String spec) {
        return set("{'name':'" + name + "','annotations':{'" + Wire.CANARY + "':'true','" + Wire.BASE + "':'" + base + "'}}",
                spec.replaceFirst("\\{", "{'updateStrategy':{'type':'NotUpdate'},"), "");
    }

    /** Metadata and spec in full; extra are further top-level members, each with a comma before it. */
    static ObjectNode set(String metadata, String spec, String extra) {
        ObjectNode object = (ObjectNode) Json
                .read(("{'apiVersion':'" + Wire.V1BETA1 + "','kind':'SidecarSet','metadata':" + metadata + ",'spec':"
                        + spec + extra + "}").replace('\'', '"'));
        if (!object.path("spec").has("selector")) {
            object.withObjectProperty("spec").putObject("selector").putObject("matchLabels").put("app", "web");
        }
        return switch (SetDefaults.apply(object, "v1beta1", "CREATE", SetDefaults.Unknown.KEEP)) {
            case Defaulting.Patch(_, ObjectNode result) -> result;
            case Defaulting.Unchanged _ -> object;
            case Defaulting.Refuse(_, String message) -> throw new IllegalArgumentException(message);
        };
    }

    Verdicts options(ValidateOptions judged) {
        options = judged;
        return this;
    }

    Verdicts beside(ObjectNode other) {
        existing.add(SidecarSet.of(other));
        return this;
    }

    Verdicts pinned(Pinned found) {
        pinned = found;
        return this;
    }

    Verdicts whitelist(String text) {
        whitelist = Optional.of(text);
        return this;
    }

    Validation create(ObjectNode object) {
        return validate(Operation.CREATE, object, Optional.empty());
    }

    Validation update(ObjectNode old, ObjectNode object) {
        return validate(Operation.UPDATE, object, Optional.of(old));
    }

    private Validation validate(Operation operation, ObjectNode object, Optional<ObjectNode> old) {
        ValidationRequest request = new ValidationRequest(operation, object, old, pinned,
                whitelist.map(w -> Map.of(Wire.WHITELIST_KEY, w)), "kruise-system");
        return SetValidator.validate(request, SetIndex.of(existing, List.of()), options);
    }

    /** The faults' paths, in order. */
    static List<String> fields(Validation validation) {
        return validation.faults().stream().map(Fault::field).toList();
    }

    static String texts(Validation validation) {
        return String.join("\n", validation.faults().stream().map(Fault::text).toList());
    }
}

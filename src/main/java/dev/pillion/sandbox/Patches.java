package dev.pillion.sandbox;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** PATCH: the content type says which kind; custom resources take no strategic merge patch. */
final class Patches {
    private static final String JSON = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private final Services services;
    private final Writes writes;

    Patches(Services services, Writes writes) {
        this.services = services;
        this.writes = writes;
    }

    Writes.Outcome patch(Target target, String contentType, byte[] body, WriteOptions options) {
        return switch (contentType) {
            case JSON, MERGE, STRATEGIC -> {
                if (contentType.equals(STRATEGIC) && target.type().isCustom()) {
                    throw ApiError.unsupportedMediaType(List.of(JSON, MERGE, APPLY));
                }
                JsonNode patch = Trees.body(body);
                yield writes.update(target, current -> decoded(target, contentType, patched(target, contentType, current, patch), options),
                        options);
            }
            case APPLY -> apply(target, body, options);
            default -> throw target.type().isCustom()
                    ? ApiError.unsupportedMediaType(List.of(JSON, MERGE, APPLY))
                    : ApiError.of(415, "UnsupportedMediaType", "415: Unsupported Media Type", Trees.object());
        };
    }

    /** The patch applied to one object, before any rule looks at the result. */
    static JsonNode patched(Target target, String contentType, ObjectNode current, JsonNode patch) {
        return switch (contentType) {
            case JSON -> JsonPatch.apply(current, patch);
            case STRATEGIC -> StrategicMerge.apply(current, patch, MergeKeys.of(target.type()));
            default -> {
                if (!(patch instanceof ObjectNode)) {
                    throw ApiError.badRequest("error decoding patch: the patch is not an object");
                }
                yield MergePatch.apply(current, patch);
            }
        };
    }

    private static ObjectNode decoded(Target target, String contentType, JsonNode result, WriteOptions options) {
        try {
            return Decoder.decode(target, result, options);
        } catch (ApiError e) {
            if (e.code() != 400 || !contentType.equals(STRATEGIC)) {
                throw e;
            }
            ObjectNode details = Trees.object();
            details.putArray("causes").addObject().put("reason", "FieldValueInvalid").put("message", "Invalid value: " + e.text()).put(
                    "field",
                    "patch");
            throw ApiError.of(422, "Invalid", " \"\" is invalid: patch: Invalid value: " + e.text(), details);
        }
    }

    private Writes.Outcome apply(Target target, byte[] body, WriteOptions options) {
        if (options.manager().isEmpty()) {
            throw ApiError.invalid(target.type(), target.name(), List.of(Cause.required("fieldManager", "is required for apply patch")));
        }
        if (!(Trees.yaml(body) instanceof ObjectNode configuration)) {
            throw ApiError.badRequest("error decoding YAML: the configuration is not an object");
        }
        ApplyPatch.Owner owner = new ApplyPatch.Owner(options.manager(), target.subresource());
        Optional<Stored> there = services.store().get(target.store(), target.key());
        if (there.isEmpty() && target.subresource().isEmpty()) {
            ObjectNode fresh = services.apply().apply(target.type(), target.version(), null, configuration.deepCopy(), owner,
                    options.conflicts());
            return writes.createApplied(target, fresh, options);
        }
        return writes.updateApplied(target, current -> Decoder.decode(target,
                services.apply().apply(target.type(), target.version(), current, configuration.deepCopy(), owner, options.conflicts()),
                options),
                options);
    }
}

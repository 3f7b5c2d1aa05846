package dev.pillion.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The parameters of a list, checked.
 *
 * @param limit 0 for everything
 * @param revision 0 for now, else the moment to show
 * @param after key behind which to go on, "" from the beginning
 * @param single the one name that can be selected, when there is one
 */
record ListQuery(Predicate<Stored> selects, boolean filters, int limit, long revision, String after, Optional<String> single) {

    static ListQuery of(Target target, Parameters parameters) {
        FieldSelection fields = FieldSelection.parse(parameters.text("fieldSelector"), target.rules().selectableFields(),
                target.type().origin());
        Predicate<Stored> selects = selection(target, parameters);
        boolean filters = !parameters.text("labelSelector").isEmpty() || !fields.isEmpty();
        String match = parameters.text("resourceVersionMatch");
        String version = parameters.text("resourceVersion");
        String token = parameters.text("continue");
        if (!match.isEmpty() && version.isEmpty()) {
            throw ApiError.invalidOption("ListOptions",
                    Cause.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (!match.isEmpty() && !match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw ApiError.invalidOption("ListOptions",
                    Cause.notSupported("resourceVersionMatch", Names.quoted(match), "\"Exact\", \"NotOlderThan\", \"\""));
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw ApiError.invalidOption("ListOptions",
                    Cause.forbidden("resourceVersionMatch", "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
        if (!token.isEmpty()) {
            if (!version.isEmpty() && !version.equals("0")) {
                throw ApiError.badRequest("specifying resource version is not allowed when using continue");
            }
            JsonNode place = place(token);
            return new ListQuery(selects, filters, parameters.number("limit"), Math.max(0, place.path("rv").asLong(0)),
                    Trees.text(place, "start"), fields.singleName());
        }
        long asked = parameters.revision("resourceVersion").orElseThrow(() -> ApiError.badRequest(
                "invalid resource version: resourceVersion: " + Parameters.notANumber(version)));
        long moment = match.equals("Exact") ? asked : 0;
        return new ListQuery(selects, filters, parameters.number("limit"), moment, "", fields.singleName());
    }

    static Predicate<Stored> selection(Target target, Parameters parameters) {
        FieldSelection fields = FieldSelection.parse(parameters.text("fieldSelector"), target.rules().selectableFields(),
                target.type().origin());
        Predicate<Map<String, String>> labels = LabelSelection.parse(parameters.text("labelSelector"));
        Predicate<Stored> byField = fields.test();
        return stored -> labels.test(stored.labels()) && byField.test(stored);
    }

    /** The token with which a list goes on behind a key. A revision of -1 means "whatever is there then". */
    static String token(long revision, String after) {
        String json = Trees.object().put("v", "meta.k8s.io/v1").put("rv", revision).put("start", after).toString();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode place(String token) {
        try {
            return Trees.MAPPER.readTree(Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException | JacksonException _) {
            throw ApiError.badRequest("invalid continue token: continue key is not valid: it was not made by this server");
        }
    }
}

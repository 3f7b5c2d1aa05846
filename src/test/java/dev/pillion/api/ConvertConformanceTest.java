package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.pillion.conformance.Conformance;
import dev.pillion.conformance.JsonDiff;
import dev.pillion.conformance.Vectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every recorded conversion, there and back. */
final class ConvertConformanceTest {
    private record Trip(JsonNode object, JsonNode roundTrip) {
    }

    @Test
    void agreesWithReferenceOptions() {
        cases("convert", Conversion.Mode.REFERENCE).verify(Vectors.of("convert"), 0.15);
    }

    @Test
    void agreesWithProductOptions() {
        cases("convert/pillion", Conversion.Mode.LOSSLESS)
                .deviation("FR-52", ConvertConformanceTest::losesInReference, (input, expect, trip) -> comesBack(input, expect, trip))
                .verify(Vectors.of("convert"), 1);
    }

    private static Conformance<Trip> cases(String label, Conversion.Mode mode) {
        return new Conformance<>(label, input -> travel(input, mode), (input, expect, trip) -> JsonDiff
                .firstBesideZeroCounts(expect.path("object"), trip.object)
                .or(() -> JsonDiff.firstBesideZeroCounts(expect.path("roundTrip"), trip.roundTrip)));
    }

    private static Trip travel(JsonNode input, Conversion.Mode mode) {
        JsonNode object = input.path("object");
        JsonNode there = converted(object, Wire.GROUP + "/" + input.path("desiredVersion").stringValue(), mode);
        return new Trip(there, converted(there, Json.text(object, "apiVersion"), mode));
    }

    private static ObjectNode converted(JsonNode object, String version, Conversion.Mode mode) {
        return switch (Conversion.convert(object, version, mode)) {
            case Conversion.Outcome.Converted(ObjectNode result) -> result;
            case Conversion.Outcome.Refused(String message) -> throw new AssertionError(message);
        };
    }

    /** A v1alpha1 namespace, or an empty custom-version label, is what the reference cannot give back. */
    private static boolean losesInReference(JsonNode input) {
        JsonNode object = input.path("object");
        JsonNode label = object.path("metadata").path("labels").path(Wire.CUSTOM_VERSION_LABEL);
        boolean emptyLabel = label.isString() && label.stringValue().isEmpty() && Json.text(object.path("spec"), "customVersion").isEmpty();
        return emptyLabel || (isAlpha(object) && !Json.text(object.path("spec"), "namespace").isEmpty());
    }

    private static boolean isAlpha(JsonNode object) {
        return Json.text(object, "apiVersion").equals(Wire.V1ALPHA1);
    }

    /** What is stored as v1beta1 is as recorded plus the annotation, and a v1alpha1 object comes back as written. */
    private static Optional<String> comesBack(JsonNode input, JsonNode expect, Trip trip) {
        boolean fromAlpha = isAlpha(input.path("object"));
        ObjectNode stored = (ObjectNode) (fromAlpha ? trip.object : trip.roundTrip).deepCopy();
        assertThat(AlphaStore.take(stored)).isPresent();
        JsonNode recorded = expect.path(fromAlpha ? "object" : "roundTrip");
        return JsonDiff.firstBesideZeroCounts(recorded, stored).or(() -> fromAlpha
                ? JsonDiff.firstBesideZeroCounts(input.path("object"), trip.roundTrip)
                : JsonDiff.firstBesideZeroCounts(expect.path("object"), trip.object));
    }
}

package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lossless conversion (api.md 3, FR-52). */
final class ConversionTest {
    private static final long SEED = Long.getLong("pillion.seed", 20261129L);

    @Test
    void everyGeneratedV1alpha1ObjectComesBackAsWritten() {
        Random random = new Random(SEED);
        for (int i = 0; i < 3000; i++) {
            ObjectNode written = new SetGenerator(random).v1alpha1();
            JsonNode object = written;
            for (int trip = 0; trip < 1 + random.nextInt(3); trip++) {
                ObjectNode stored = convert(object, Wire.V1BETA1);
                assertThat(stored.path("spec").has("namespace")).as("seed %d, object %d", SEED, i).isFalse();
                object = convert(stored, Wire.V1ALPHA1);
            }
            assertThat(object).as("seed %d, object %d", SEED, i).isEqualTo(written);
        }
    }

    @Test
    void readersOfV1beta1SeeTheEquivalentSelector() {
        ObjectNode stored = convert(object(Wire.V1ALPHA1, "{\"namespace\":\"n1\",\"namespaceSelector\":{\"matchLabels\":{\"a\":\"b\"}}}"),
                Wire.V1BETA1);
        assertThat(stored.path("spec").toString())
                .isEqualTo("{\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"n1\"}}}");
        assertThat(stored.path("metadata").path("annotations").path(Wire.V1ALPHA1_STORE).stringValue())
                .isEqualTo("{\"namespace\":\"n1\",\"namespaceSelector\":{\"matchLabels\":{\"a\":\"b\"}}}");
    }

    @Test
    void aChangeMadeThroughV1beta1Wins() {
        ObjectNode stored = convert(object(Wire.V1ALPHA1, "{\"namespace\":\"n1\"}"), Wire.V1BETA1);
        stored.withObjectProperty("spec").withObjectProperty("namespaceSelector").withObjectProperty("matchLabels")
                .put(Wire.NAMESPACE_NAME_LABEL, "n2");
        ObjectNode read = convert(stored, Wire.V1ALPHA1);
        assertThat(read.path("spec").toString())
                .isEqualTo("{\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"n2\"}}}");
        assertThat(read.path("metadata").has("annotations")).isFalse();
    }

    @Test
    void anUnreadableRecordIsIgnored() {
        for (String text : new String[]{"{", "[]", "{\"namespace\":7}", "{\"namespace\":\"n1\",\"namespaceSelector\":3}"}) {
            ObjectNode stored = object(Wire.V1BETA1, "{\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"n1\"}}}");
            stored.withObjectProperty("metadata").withObjectProperty("annotations").put(Wire.V1ALPHA1_STORE, text);
            assertThat(convert(stored, Wire.V1ALPHA1).path("spec").has("namespace")).as(text).isFalse();
        }
    }

    @Test
    void aRecordThatCameInIsReplaced() {
        ObjectNode sent = object(Wire.V1ALPHA1, "{}");
        sent.withObjectProperty("metadata").withObjectProperty("annotations").put(Wire.V1ALPHA1_STORE, "{\"namespace\":\"old\"}").put("a",
                "b");
        assertThat(convert(sent, Wire.V1BETA1).path("metadata").path("annotations").toString()).isEqualTo("{\"a\":\"b\"}");
    }

    @Test
    void refusesEqualVersionsAndForeignKinds() {
        assertThat(Conversion.convert(object(Wire.V1BETA1, "{}"), Wire.V1BETA1, Conversion.Mode.LOSSLESS))
                .isInstanceOf(Conversion.Outcome.Refused.class);
        assertThat(Conversion.convert(object("apps.kruise.io/v2", "{}"), Wire.V1BETA1, Conversion.Mode.LOSSLESS))
                .isInstanceOf(Conversion.Outcome.Refused.class);
        assertThat(Conversion.convert(Json.read("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}"), Wire.V1BETA1, Conversion.Mode.LOSSLESS))
                .isInstanceOf(Conversion.Outcome.Refused.class);
    }

    private static ObjectNode object(String version, String spec) {
        return (ObjectNode) Json
                .read("{\"apiVersion\":\"" + version + "\",\"kind\":\"SidecarSet\",\"metadata\":{\"name\":\"a\"},\"spec\":" + spec + "}");
    }

    private static ObjectNode convert(JsonNode object, String version) {
        return switch (Conversion.convert(object, version, Conversion.Mode.LOSSLESS)) {
            case Conversion.Outcome.Converted(ObjectNode result) -> result;
            case Conversion.Outcome.Refused(String message) -> throw new AssertionError(message);
        };
    }
}

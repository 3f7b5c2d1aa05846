package dev.pillion.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;

import tools.jackson.databind.JsonNode;

/** The worked examples of api.md 8, and the check values of rollout.md 3.2. */
final class SetHashTest {

    static List<String> workedExamples() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(SetHashTest.class.getResourceAsStream("/worked-hashes.jsonl")), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("workedExamples")
    void defaultedSetsHaveTheWorkedBytesAndHashes(String line) {
        JsonNode example = Json.read(line);
        Defaulting answer = SetDefaults.apply(example.path("submitted"), "v1beta1", "CREATE", SetDefaults.Unknown.KEEP);
        JsonNode object = ((Defaulting.Patch) answer).object();

        assertThat(SetHash.bytes(object.path("spec").path("containers"), object.path("spec").path("initContainers")))
                .isEqualTo(example.path("bytes").stringValue());
        JsonNode annotations = object.path("metadata").path("annotations");
        assertThat(annotations.path("kruise.io/sidecarset-hash").stringValue()).isEqualTo(example.path("hash").stringValue());
        assertThat(annotations.path("kruise.io/sidecarset-hash-without-image").stringValue())
                .isEqualTo(example.path("hashWithoutImage").stringValue());
    }

    @ParameterizedTest
    @MethodSource("workedExamples")
    void hashesAreTheSameWhenUnknownMembersAreDropped(String line) {
        JsonNode example = Json.read(line);

        Defaulting answer = SetDefaults.apply(example.path("submitted"), "v1beta1", "CREATE", SetDefaults.Unknown.DROP);

        JsonNode annotations = ((Defaulting.Patch) answer).object().path("metadata").path("annotations");
        assertThat(annotations.path("kruise.io/sidecarset-hash").stringValue()).isEqualTo(example.path("hash").stringValue());
    }

    @Test
    void setsWithOnlyPlainInitContainersShareOneHash() {
        JsonNode object = Json.read("{\"spec\":{\"initContainers\":[{\"name\":\"x\",\"image\":\"y\"}]}}");
        assertThat(SetHash.hash(object)).isEqualTo("x5vwx9w6vv4dv72c9w4c2f6v74fbwx545b45bbfz6z2dvf8w887xw86fvcb4cf48")
                .isEqualTo(SetHash.hashWithoutImage(object));
    }

    @Test
    void revisionNamesHaveTheCheckValues() {
        String data = "{\"spec\":{\"$patch\":\"replace\",\"containers\":[{\"command\":[\"sh\",\"-c\",\"a \\u0026\\u0026 b \\u003e c\"],"
                + "\"image\":\"test-image:v2\",\"name\":\"test-sidecar\",\"resources\":{},\"shareVolumePolicy\":{},"
                + "\"upgradeStrategy\":{\"upgradeType\":\"ColdUpgrade\"}}],\"imagePullSecrets\":null,\"initContainers\":null,"
                + "\"patchPodMetadata\":[{\"annotations\":{\"k1\":\"v1\"},\"patchPolicy\":\"Retain\"}],\"volumes\":null}}";
        assertThat(RevisionName.hash(data, 0)).isEqualTo("6c8956b6bc");
        assertThat(RevisionName.hash(data, 1)).isEqualTo("6c8956b6bb");
        assertThat(RevisionName.hash(RevisionData.of(Json.object()), 0)).isEqualTo("5c7c857c5f");
        assertThat(RevisionName.of("n".repeat(230), "h")).isEqualTo("n".repeat(223) + "-h");
    }

    @Test
    void revisionDataIsTheMeasuredText() throws IOException {
        Defaulting answer = SetDefaults.apply(Json.read(workedExamples().getFirst()).path("submitted"), "v1beta1", "CREATE",
                SetDefaults.Unknown.KEEP);
        String data = RevisionData.of(((Defaulting.Patch) answer).object().path("spec"));
        assertThat(RevisionName.of("one", RevisionName.hash(data, 0))).isEqualTo("one-6c67c8c9bc");
        assertThat(RevisionData.canonical(data)).isEqualTo(data);
    }
}

package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.bus.LatestSets;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.Moment;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.validate.ValidateOptions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bytes in, an orderly AdmissionReview out, whatever annotations and variables hold; through everything but the socket. */
final class OddReviewsTest {
    private static final int ROUNDS = 3000;
    private static final List<String> KEYS = List.of(Wire.HASH, Wire.HASH_WITHOUT_IMAGE, Wire.WORKING_HOT_UPGRADE, Wire.INJECTED_LIST,
            "apps.kruise.io/container-launch-priority", Wire.VERSION_PREFIX + "log-1", "patched", "");
    private static final String PLACE = "-place-";
    private static final String REVIEW = """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","namespace":"shop",
             "kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},"object":
             {"metadata":{"name":"p","labels":{"app":"web"},"annotations":{"%s":%s}},
              "spec":{"containers":[{"name":"app","image":"app:1","env":[{"name":"KRUISE_CONTAINER_PRIORITY","value":%s},{"name":"A","value":"1"}],
               "volumeMounts":[{"name":"d","mountPath":"/d","subPathExpr":"$(A)"}]}]}}}}""";
    private static final String SET = """
            {"metadata":{"name":"logs"},"spec":{"selector":{"matchLabels":{"app":"web"}},
             "containers":[{"name":"log","image":"log:1","shareVolumePolicy":{"type":"enabled"},
               "upgradeStrategy":{"upgradeType":"HotUpgrade","hotUpgradeEmptyImage":"e"},
               "transferEnv":[{"sourceContainerNameFrom":{"fieldRef":{"fieldPath":"metadata.annotations['patched']"}},"envName":"A"}]}],
             "patchPodMetadata":[{"patchPolicy":"MergePatchJson","annotations":{"patched":"{\\"a\\":1}"}}]}}""";

    private final Meters meters = new Meters();
    private final WebhookMeters webhookMeters = new WebhookMeters(meters);
    private final SetIndex index = SetIndex.of(List.of(SidecarSet.of((ObjectNode) Json.read(SET))),
            List.of(new NamespaceView("shop", Map.of())));
    private final Webhooks webhooks = new Webhooks(new WebhookOptions("kruise-system", InjectOptions.PILLION, ValidateOptions.PILLION),
            new NothingElse(), () -> new Moment(Instant.EPOCH, .5, "bcdfg"), webhookMeters, (_, _) -> {
            }, new HoldBack(new LatestSets(), new Gate(1, 1), webhookMeters, Duration.ofSeconds(8), () -> 0));

    @AfterEach
    void close() {
        meters.close();
    }

    /** JSON texts for the value, quotes included where it is a string. */
    static Stream<String> values() {
        String deep = "[".repeat(100_000);
        String object = "{\\\"a\\\":".repeat(3000) + "1" + "}".repeat(3000);
        return Stream.of("\"\"", "\"null\"", "null", "1", "[]", "{}", "true", "\"{\\\"logs\\\":null}\"", "\"{\\\"logs\\\":\\\"old\\\"}\"",
                "\"{\\\"logs\\\":{\\\"hash\\\":7}}\"", "\"[1,2\"", "\"\\ud800\"", "\"\\udc00\\ud800\"",
                "\"{\\\"\\ud800\\\":\\\"\\\\udfff\\\"}\"",
                "\"\\u0000\"", "\"" + deep + "\"", "\"" + object + "\"", "\"" + "x".repeat(2_000_000) + "\"",
                "\"{\\\"logs\\\":\\\"" + "y".repeat(1_000_000) + "\\\"}\"", "1e999999999", "-0", deep, "\"\\u12\"", "\"\\x\"", "nul");
    }

    @ParameterizedTest
    @MethodSource("values")
    void anyValueGetsAnOrderlyAnswer(String value) {
        for (String key : KEYS) {
            assertOrderly(REVIEW.formatted(key, value, "\"1\""));
        }
        String body = REVIEW.formatted("a", "\"b\"", value);
        assertOrderly(body);
        assertOrderly(body, webhooks.late(Webhooks.PODS, body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void randomTextsGetOrderlyAnswers() {
        Random random = new Random(Long.getLong("pillion.seed", 1));
        String alphabet = "{}[]\",:\\u0dn1.-e truefals\ud83d\ude00\u0001/";
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String key = KEYS.get(random.nextInt(KEYS.size()));
            // Once as the text of a string, once as it is.
            assertOrderly(REVIEW.formatted(key, Json.write(Json.NODES.stringNode(PLACE)).replace(PLACE, text), "\"1\""));
            assertOrderly(REVIEW.formatted(key, "\"" + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"", "\"1\""));
        }
    }

    private void assertOrderly(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        CompletableFuture<Reply> answer = webhooks.answer(Webhooks.PODS, bytes, Optional.of(index)).toCompletableFuture();

        assertThat(answer).as("%.600s", body).isCompleted();
        assertOrderly(body, answer.join());
    }

    private static void assertOrderly(String body, Reply reply) {
        JsonNode root = Json.read(reply.body());
        JsonNode response = root.path("response");
        assertThat(Json.text(root, "kind")).isEqualTo("AdmissionReview");
        assertThat(response.path("allowed").isBoolean()).isTrue();
        assertThat(response.path("uid").isString()).isTrue();
        assertThat(response.path("status").path("code").asInt()).as("%.600s", body).isIn(200, 400, 422, 503).isEqualTo(reply.code());
        assertThat(Json.text(response.path("status"), "message").length()).as("a message that can be read").isLessThan(2000);
    }
}

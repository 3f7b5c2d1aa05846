package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.admission.ReviewCodec.Decoded;
import dev.pillion.api.Json;
import dev.pillion.api.PatchOp;

import tools.jackson.databind.JsonNode;

final class ReviewCodecTest {
    private static final String REVIEW = """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1","kind":{"group":"","version":"v1","kind":"Pod"},
             "resource":{"group":"","version":"v1","resource":"pods"},"namespace":"shop","operation":"CREATE","dryRun":true,
             "object":{"kind":"Pod","metadata":{"generateName":"web-"},"spec":{}},"oldObject":null}}""";

    @Test
    void readsWhatTheWebhooksNeed() {
        Decoded decoded = ReviewCodec.decode(REVIEW.getBytes(StandardCharsets.UTF_8));

        assertThat(decoded).isInstanceOfSatisfying(Decoded.Read.class, r -> {
            assertThat(r.review().uid()).isEqualTo("u-1");
            assertThat(r.review().namespace()).isEqualTo("shop");
            assertThat(r.review().resource()).isEqualTo("pods");
            assertThat(r.review().dryRun()).isEqualTo(Review.DryRun.YES);
            assertThat(r.review().object()).isPresent();
            assertThat(r.review().oldObject()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"})
    void repeatsApiVersionAndUid(String apiVersion) {
        JsonNode answer = Json.read(ReviewCodec.encode(apiVersion, "u-1", Answer.allow()));

        assertThat(answer.path("apiVersion").asString()).isEqualTo(apiVersion);
        assertThat(answer.path("kind").asString()).isEqualTo("AdmissionReview");
        assertThat(answer.path("response").path("uid").asString()).isEqualTo("u-1");
        assertThat(answer.path("response").path("allowed").booleanValue()).isTrue();
        assertThat(answer.path("response").has("patch")).isFalse();
    }

    @Test
    void writesAPatchInBase64() {
        Answer answer = new Answer.Allow(List.of(PatchOp.add("/a", Json.NODES.numberNode(1))), List.of("careful"));

        JsonNode response = Json.read(ReviewCodec.encode(ReviewCodec.V1, "u", answer)).path("response");

        assertThat(response.path("patchType").asString()).isEqualTo("JSONPatch");
        assertThat(new String(Base64.getDecoder().decode(response.path("patch").asString()), StandardCharsets.UTF_8))
                .isEqualTo("[{\"op\":\"add\",\"path\":\"/a\",\"value\":1}]");
        assertThat(response.path("warnings").toString()).isEqualTo("[\"careful\"]");
    }

    @Test
    void writesADenialWithItsCauses() {
        Answer answer = new Answer.Deny(422, "Invalid", "no", List.of(new Answer.Cause("FieldValueRequired", "spec", "why")),
                OptionalInt.of(3), List.of());

        JsonNode status = Json.read(ReviewCodec.encode(ReviewCodec.V1, "u", answer)).path("response").path("status");

        assertThat(status.toString()).isEqualTo("{\"metadata\":{},\"status\":\"Failure\",\"message\":\"no\",\"reason\":\"Invalid\","
                + "\"code\":422,\"details\":{\"retryAfterSeconds\":3,"
                + "\"causes\":[{\"reason\":\"FieldValueRequired\",\"message\":\"why\",\"field\":\"spec\"}]}}");
    }

    /** kubectl shows kind and name instead of the message once there are causes; without them the message must stay. */
    @Test
    void aDenialWithCausesNamesItsObject() {
        Answer with = new Answer.Deny(422, "Invalid", "no", List.of(new Answer.Cause("FieldValueRequired", "spec", "why")),
                OptionalInt.empty(), List.of());
        Answer without = new Answer.Deny(422, "Invalid", "no", List.of(), OptionalInt.empty(), List.of());

        assertThat(details("logs", with).toString()).isEqualTo("{\"causes\":[{\"reason\":\"FieldValueRequired\",\"message\":\"why\","
                + "\"field\":\"spec\"}],\"kind\":\"SidecarSet\",\"name\":\"logs\"}");
        assertThat(details("", with).has("kind")).isFalse();
        assertThat(details("logs", without).isMissingNode()).isTrue();
    }

    private static JsonNode details(String name, Answer answer) {
        Review review = new Review(ReviewCodec.V1, "u", "CREATE", "v1beta1", "SidecarSet", "sidecarsets", "", "", name, Review.DryRun.NO,
                Optional.empty(), Optional.empty());
        return Json.read(ReviewCodec.encode(review, answer)).path("response").path("status").path("details");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"''|''", "null|''", "[]|''", "{}|''", "17|''", "{\"kind\":\"AdmissionReview\"}|''",
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\"}|''",
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{}}|''",
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":7}}|''",
            "{\"apiVersion\":\"admission.k8s.io/v2\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"u\"}}|u",
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"Pod\",\"request\":{\"uid\":\"u\"}}|u",
            "{\"request\":{\"uid\":\"u\",\"object\":{|u", "{\"request\":{\"object\":{\"uid\":\"no\"},\"uid\":\"u\",\"x|u",
            "{\"other\":{\"uid\":\"no\"},\"request\":{\"kind\":{\"uid\":\"no\"},|''", "{} {}|''"})
    void unreadableInputKeepsTheUidWhenThereIsOne(String body, String uid) {
        Decoded decoded = ReviewCodec.decode(body.getBytes(StandardCharsets.UTF_8));

        assertThat(decoded).isInstanceOfSatisfying(Decoded.Unread.class, u -> {
            assertThat(u.uid()).isEqualTo(uid);
            assertThat(u.apiVersion()).isEqualTo("admission.k8s.io/v1");
            assertThat(u.why()).isNotBlank();
        });
    }

    @Test
    void everyTruncationIsUnreadable() {
        byte[] whole = REVIEW.getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < whole.length; length++) {
            assertThat(ReviewCodec.decode(Arrays.copyOf(whole, length))).as("first %s bytes", length)
                    .isInstanceOf(Decoded.Unread.class);
        }
    }

    @Test
    void arbitraryBytesNeverThrow() {
        long seed = Long.getLong("pillion.seed", new Random().nextLong());
        Random random = new Random(seed);
        byte[] whole = REVIEW.getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = whole.clone();
            for (int i = random.nextInt(8); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Decoded decoded = ReviewCodec.decode(bytes);
            assertThat(decoded).as("pillion.seed=%s, round %s", seed, round).isNotNull();
        }
    }

    @Test
    void endlessNestingIsUnreadable() {
        String deep = "{\"request\":{\"uid\":\"u\",\"object\":" + "[".repeat(1_000_000);

        assertThat(ReviewCodec.decode(deep.getBytes(StandardCharsets.UTF_8))).isInstanceOfSatisfying(Decoded.Unread.class,
                u -> assertThat(u.uid()).isEqualTo("u"));
    }
}

package dev.pillion.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Json;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.bus.LatestSets;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.Moment;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.LiveReads;
import dev.pillion.match.NamespaceView;
import dev.pillion.match.SetIndex;
import dev.pillion.metrics.Meters;
import dev.pillion.metrics.WebhookMeters;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;
import dev.pillion.validate.ValidateOptions;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class WebhooksTest {
    private static final String POD = """
            {"kind":"Pod","metadata":{"name":"p","labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:1"}]}}""";
    private static final String SET = """
            {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"name":"logs"},
             "spec":{"selector":{"matchLabels":{"app":"web"}},"containers":[{"name":"log","image":"log:1"}]}}""";

    private final Meters meters = new Meters();
    private final WebhookMeters webhookMeters = new WebhookMeters(meters);
    private final Reads reads = new Reads();
    private final List<String> told = new ArrayList<>();
    private final Webhooks webhooks = new Webhooks(
            new WebhookOptions("kruise-system", InjectOptions.PILLION, ValidateOptions.PILLION), reads,
            () -> new Moment(Instant.parse("2026-03-01T12:00:00Z"), 0.5, "abcde"), webhookMeters,
            (set, message) -> told.add(set.name() + ": " + message),
            new HoldBack(new LatestSets(), new Gate(10, 100_000), webhookMeters, Duration.ofSeconds(8), () -> 0));

    /** Live reads from maps; fails while told to. */
    private static final class Reads implements LiveReads {
        private final AtomicInteger count = new AtomicInteger();
        private Map<String, NamespaceView> namespaces = Map.of();
        private Map<String, SidecarSet> sets = Map.of();
        private boolean fails;

        @Override
        public CompletionStage<Optional<NamespaceView>> namespace(String name) {
            return answer(Optional.ofNullable(namespaces.get(name)));
        }

        @Override
        public CompletionStage<Optional<SidecarSet>> sidecarSet(String name) {
            return answer(Optional.ofNullable(sets.get(name)));
        }

        @Override
        public CompletionStage<Optional<Revision>> revision(String name) {
            return answer(Optional.empty());
        }

        @Override
        public CompletionStage<List<Revision>> revisions(String setName, String customVersion) {
            return answer(List.of());
        }

        private <T> CompletionStage<T> answer(T value) {
            count.incrementAndGet();
            return fails
                    ? CompletableFuture.failedStage(new KubeException(0, "Timeout", false, "late"))
                    : CompletableFuture.completedStage(value);
        }
    }

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void injectsAPod() {
        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod("CREATE", POD), index(SET));

        assertThat(response.path("allowed").booleanValue()).isTrue();
        assertThat(patch(response)).contains("\"log\"", "IS_INJECTED", "kruise.io/sidecarset-hash");
        assertThat(meters.scrape()).contains("pillion_injections_total{reason=\"injected\",result=\"patched\"} 1.0");
    }

    @Test
    void dryRunAnswersTheSameAndCountsNothing() {
        ObjectNode dry = ReviewTexts.pod("CREATE", POD);
        dry.withObjectProperty("request").put("dryRun", true);

        JsonNode response = respond(Webhooks.PODS, dry, index(SET));

        assertThat(patch(response)).contains("\"log\"");
        assertThat(meters.scrape()).doesNotContain("pillion_injections_total");
    }

    /** FR-06, FR-17: counted, and logged by the name that the Pod will have; a value of env never reaches the log. */
    @Test
    void aRefusedPodIsCountedAndLoggedAlsoWithoutAName() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(PodWebhook.class);
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        String computed = SET.replace("\"log:1\"", "\"log:1\",\"resourcesPolicy\":{\"targetContainersMode\":\"sum\","
                + "\"targetContainersNameRegex\":\"none\",\"resourcesExpr\":{\"limits\":{\"cpu\":\"cpu\"}}}");
        String pod = POD.replace("\"name\":\"p\"", "\"generateName\":\"web-\"").replace("\"app:1\"",
                "\"app:1\",\"env\":[{\"name\":\"A\",\"value\":\"s3cret\"}]");
        ObjectNode review = ReviewTexts.pod("CREATE", pod);
        review.withObjectProperty("request").remove("name");
        try {
            respond(Webhooks.PODS, review, index(computed));
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }

        assertThat(meters.scrape()).contains("pillion_injections_total{reason=\"resources-policy\",result=\"refused\"} 1.0");
        assertThat(log.list).singleElement()
                .satisfies(e -> assertThat(e.getKeyValuePairs().toString()).contains("web-*", "resources-policy").doesNotContain("s3cret"));
    }

    /** FR-47: a pin that leads nowhere is told to whoever looks at the set; a dry run tells nobody (FR-24). */
    @Test
    void tellsOfASetThatGetsItsPodsRefused() {
        String pinned = SET.replace("\"spec\":{", "\"spec\":{\"injectionStrategy\":{\"revision\":{\"revisionName\":\"gone\"}},");
        ObjectNode dry = ReviewTexts.pod("CREATE", POD);
        dry.withObjectProperty("request").put("dryRun", true);
        assertThat(respond(Webhooks.PODS, dry, index(pinned)).path("allowed").booleanValue()).isFalse();
        assertThat(told).isEmpty();

        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod("CREATE", POD), index(pinned));

        assertThat(response.path("status").path("code").intValue()).isEqualTo(422);
        assertThat(told).singleElement().asString().startsWith("logs: ").contains("ControllerRevision gone", "does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "DELETE", "CONNECT"})
    void admitsOtherOperationsOnPodsWithoutWork(String operation) {
        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod(operation, POD), index(SET));

        assertThat(response.path("allowed").booleanValue()).isTrue();
        assertThat(response.has("patch")).isFalse();
    }

    @Test
    void admitsSubresourcesWithoutWork() {
        ObjectNode binding = ReviewTexts.pod("CREATE", POD);
        binding.withObjectProperty("request").put("subResource", "binding");

        assertThat(respond(Webhooks.PODS, binding, index(SET)).has("patch")).isFalse();
    }

    @Test
    void readsAnUnknownNamespaceLive() {
        String bound = SET.replace("\"spec\":{", "\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"a\"}},");
        reads.namespaces = Map.of("shop", new NamespaceView("shop", Map.of("team", "a")));

        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod("CREATE", POD), index(bound));

        assertThat(patch(response)).contains("\"log\"");
        assertThat(reads.count).hasValue(1);
    }

    @Test
    void aNamespaceThatDoesNotExistIsNoMatch() {
        String bound = SET.replace("\"spec\":{", "\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"a\"}},");

        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod("CREATE", POD), index(bound));

        assertThat(response.path("allowed").booleanValue()).isTrue();
        assertThat(response.has("patch")).isFalse();
    }

    @Test
    void anUnreadableNamespaceRefusesForTheMoment() {
        String bound = SET.replace("\"spec\":{", "\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"a\"}},");
        reads.fails = true;

        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod("CREATE", POD), index(bound));

        assertThat(response.path("allowed").booleanValue()).isFalse();
        assertThat(response.path("status").path("code").intValue()).isEqualTo(503);
        assertThat(response.path("status").path("details").path("retryAfterSeconds").intValue()).isEqualTo(1);
    }

    @Test
    void readsNothingLiveForPodsThatNoSetSelects() {
        reads.fails = true;

        JsonNode response = respond(Webhooks.PODS, ReviewTexts.pod("CREATE", POD.replace("web", "other")),
                index(SET.replace("\"spec\":{", "\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"a\"}},")));

        assertThat(response.path("allowed").booleanValue()).isTrue();
        assertThat(reads.count).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1alpha1"})
    void defaultsThenAcceptsASet(String version) {
        String set = SET.replace("v1beta1", version);

        JsonNode defaulted = respond(Webhooks.SET_DEFAULTS, ReviewTexts.set("CREATE", version, set), SetIndex.EMPTY);
        Defaulting.Patch patched = (Defaulting.Patch) SetDefaults.apply(Json.read(set), version, "CREATE", SetDefaults.Unknown.KEEP);
        JsonNode judged = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", version, Json.write(patched.object())), SetIndex.EMPTY);

        assertThat(patch(defaulted)).contains("sidecarset-hash", "RollingUpdate");
        assertThat(judged.path("allowed").booleanValue()).isTrue();
    }

    @Test
    void refusesASetWithEveryFaultAsACause() {
        String set = SET.replace("\"selector\":{\"matchLabels\":{\"app\":\"web\"}},", "").replace("log:1", "");

        JsonNode status = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", "v1beta1", set), SetIndex.EMPTY).path("status");

        assertThat(status.path("code").intValue()).isEqualTo(422);
        assertThat(status.path("reason").asString()).isEqualTo("Invalid");
        assertThat(status.path("message").asString()).contains("logs", "spec.selector", "spec.containers[0].image");
        assertThat(status.path("details").path("causes")).extracting(c -> c.path("field").asString()).contains("spec.selector",
                "spec.containers[0].image");
    }

    @Test
    void readsTheBaseOfACanaryLiveWhenTheSnapshotLacksIt() {
        String canary = Json.write(defaulted(SET.replace("\"name\":\"logs\"", "\"name\":\"logs-canary\",\"annotations\":{\"" + Wire.CANARY
                + "\":\"true\",\"" + Wire.BASE + "\":\"logs\"}")
                .replace("\"spec\":{", "\"spec\":{\"updateStrategy\":{\"type\":\"NotUpdate\"},")));

        JsonNode absent = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", "v1beta1", canary), SetIndex.EMPTY);
        reads.sets = Map.of("logs", SidecarSet.of((ObjectNode) Json.read(SET)));
        JsonNode present = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", "v1beta1", canary), SetIndex.EMPTY);
        reads.fails = true;
        JsonNode unread = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", "v1beta1", canary), SetIndex.EMPTY);
        JsonNode known = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", "v1beta1", canary), index(SET));

        assertThat(absent.path("status").path("message").asString()).contains("the base \"logs\" does not exist");
        assertThat(present.path("allowed").booleanValue()).isTrue();
        assertThat(unread.path("status").path("code").intValue()).isEqualTo(503);
        assertThat(known.path("allowed").booleanValue()).isTrue();
    }

    @Test
    void warnsOfANamespaceBesideANamespaceSelector() {
        String both = SET.replace("v1beta1", "v1alpha1").replace("\"spec\":{",
                "\"spec\":{\"namespace\":\"shop\",\"namespaceSelector\":{\"matchLabels\":{\"team\":\"a\"}},");
        ObjectNode object = ((Defaulting.Patch) SetDefaults.apply(Json.read(both), "v1alpha1", "CREATE", SetDefaults.Unknown.KEEP))
                .object();

        JsonNode response = respond(Webhooks.SET_RULES, ReviewTexts.set("CREATE", "v1alpha1", Json.write(object)), SetIndex.EMPTY);

        assertThat(response.path("allowed").booleanValue()).isTrue();
        assertThat(response.path("warnings")).extracting(JsonNode::asString).anyMatch(w -> w.contains("beside spec.namespace: only"));
    }

    private static ObjectNode defaulted(String set) {
        return ((Defaulting.Patch) SetDefaults.apply(Json.read(set), "v1beta1", "CREATE", SetDefaults.Unknown.KEEP)).object();
    }

    @ParameterizedTest
    @CsvSource({Webhooks.SET_DEFAULTS, Webhooks.SET_RULES})
    void refusesWhatIsNoSidecarSetWith400(String path) {
        String set = SET.replace("[{\"name\":\"log\",\"image\":\"log:1\"}]", "\"log\"");

        JsonNode status = respond(path, ReviewTexts.set("CREATE", "v1beta1", set), SetIndex.EMPTY).path("status");

        assertThat(status.path("code").intValue()).isEqualTo(400);
        assertThat(status.path("message").asString()).contains("spec.containers");
    }

    @ParameterizedTest
    @ValueSource(strings = {Webhooks.PODS, Webhooks.SET_DEFAULTS, Webhooks.SET_RULES})
    void anObjectThatIsMissingIsRefusedWith400(String path) {
        ObjectNode review = path.equals(Webhooks.PODS)
                ? ReviewTexts.pod("CREATE", "null")
                : ReviewTexts.set("CREATE", "v1beta1", "[]");

        assertThat(respond(path, review, SetIndex.EMPTY).path("status").path("code").intValue()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "\u0000\u0001", "{\"request\":{\"uid\":\"uid-1\",", "{\"kind\":\"AdmissionReview\"}"})
    void garbageIsADenialOnEveryPath(String body) {
        for (String path : List.of(Webhooks.PODS, Webhooks.SET_DEFAULTS, Webhooks.SET_RULES)) {
            Reply reply = reply(path, body.getBytes(StandardCharsets.UTF_8), SetIndex.EMPTY);
            JsonNode response = Json.read(reply.body()).path("response");

            assertThat(reply.code()).isEqualTo(400);
            assertThat(response.path("allowed").booleanValue()).isFalse();
            assertThat(response.path("uid").asString()).isEqualTo(body.contains("uid-1") ? "uid-1" : "");
        }
    }

    @Test
    void aFaultOfTheProgramIsADenialWith500() {
        Webhooks broken = new Webhooks(Map.of(Webhooks.PODS, (_, _) -> {
            throw new IllegalStateException("bug");
        }, Webhooks.SET_RULES, (_, _) -> CompletableFuture.failedStage(new IllegalStateException("bug"))));

        for (String path : List.of(Webhooks.PODS, Webhooks.SET_RULES)) {
            Reply reply = broken.answer(path, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD)), Optional.of(SetIndex.EMPTY))
                    .toCompletableFuture().join();
            JsonNode response = Json.read(reply.body()).path("response");

            assertThat(response.path("status").path("code").intValue()).isEqualTo(500);
            assertThat(response.path("status").path("message").asString()).doesNotContain("bug");
            assertThat(response.path("uid").asString()).isEqualTo("uid-1");
        }
    }

    @Test
    void judgesNothingBeforeTheFirstListsAreComplete() {
        for (String path : List.of(Webhooks.PODS, Webhooks.SET_DEFAULTS, Webhooks.SET_RULES)) {
            Reply reply = webhooks.answer(path, ReviewTexts.bytes(ReviewTexts.pod("CREATE", POD)), Optional.empty()).toCompletableFuture()
                    .join();

            assertThat(reply.code()).isEqualTo(503);
            assertThat(Json.read(reply.body()).path("response").path("allowed").booleanValue()).isFalse();
        }
    }

    @Test
    void convertsAllObjectsOrNone() {
        String alpha = SET.replace("v1beta1", "v1alpha1").replace("\"spec\":{", "\"spec\":{\"namespace\":\"shop\",");

        JsonNode good = convert("[" + alpha + "]");
        JsonNode bad = convert("[" + alpha + ",{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}]");

        assertThat(good.path("uid").asString()).isEqualTo("c-1");
        assertThat(good.path("result").path("status").asString()).isEqualTo("Success");
        assertThat(good.path("convertedObjects").path(0).path("apiVersion").asString()).isEqualTo(Wire.V1BETA1);
        assertThat(good.path("convertedObjects").path(0).path("spec").path("namespaceSelector").toString()).contains("shop");
        assertThat(bad.path("result").path("status").asString()).isEqualTo("Failure");
        assertThat(bad.path("result").path("message").asString()).isNotBlank();
        assertThat(bad.path("convertedObjects")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"kind\":\"ConversionReview\"}", "{\"request\":{\"uid\":\"c-1\",\"objects\":[{"})
    void garbageIsAFailedConversion(String body) {
        JsonNode response = Json.read(reply(Webhooks.CONVERT, body.getBytes(StandardCharsets.UTF_8), SetIndex.EMPTY).body())
                .path("response");

        assertThat(response.path("result").path("status").asString()).isEqualTo("Failure");
    }

    private JsonNode convert(String objects) {
        String review = "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"ConversionReview\",\"request\":{\"uid\":\"c-1\","
                + "\"desiredAPIVersion\":\"apps.kruise.io/v1beta1\",\"objects\":" + objects + "}}";
        return Json.read(reply(Webhooks.CONVERT, review.getBytes(StandardCharsets.UTF_8), SetIndex.EMPTY).body()).path("response");
    }

    private JsonNode respond(String path, ObjectNode review, SetIndex index) {
        return Json.read(reply(path, ReviewTexts.bytes(review), index).body()).path("response");
    }

    private Reply reply(String path, byte[] body, SetIndex index) {
        return webhooks.answer(path, body, Optional.of(index)).toCompletableFuture().join();
    }

    private static String patch(JsonNode response) {
        return new String(Base64.getDecoder().decode(response.path("patch").asString()), StandardCharsets.UTF_8);
    }

    private static SetIndex index(String set) {
        ObjectNode raw = (ObjectNode) Json.read(set);
        raw.withObjectProperty("metadata").withObjectProperty("annotations").put(Wire.HASH, "h").put(Wire.HASH_WITHOUT_IMAGE, "w");
        return SetIndex.of(List.of(SidecarSet.of(raw)), List.of());
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.sandbox.FreePorts;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whatever is sent to a webhook of the running controller gets an answer, and the log shows no fault (settings.md 2). A seed can be given with -Dpillion.seed. */
@OnEveryCluster
final class WebhookInputIT {
    private static final int ROUNDS = 400;
    private static final String JSON = "application/json";
    private static final String CONVERT = "/convert";
    private static final int BODY_LIMIT = 7 * 1024 * 1024;
    private static final String POD = """
            {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "uid-1",
             "kind": {"group": "", "version": "v1", "kind": "Pod"}, "resource": {"group": "", "version": "v1", "resource": "pods"},
             "namespace": "default", "operation": "CREATE", "dryRun": false,
             "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"app": "input"}, "annotations": {"a": "b"}},
              "spec": {"containers": [{"name": "app", "image": "app:1", "env": [{"name": "A", "value": "1"}],
               "volumeMounts": [{"name": "v", "mountPath": "/v"}]}], "volumes": [{"name": "v", "emptyDir": {}}]}}}}""";
    private static final String SET = """
            {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "uid-1",
             "kind": {"group": "apps.kruise.io", "version": "v1beta1", "kind": "SidecarSet"},
             "resource": {"group": "apps.kruise.io", "version": "v1beta1", "resource": "sidecarsets"}, "operation": "CREATE", "name": "s", "dryRun": false,
             "object": {"apiVersion": "apps.kruise.io/v1beta1", "kind": "SidecarSet", "metadata": {"name": "s"},
              "spec": {"selector": {"matchLabels": {"app": "x"}}, "updateStrategy": {"type": "RollingUpdate", "maxUnavailable": "10%", "partition": 1},
               "containers": [{"name": "log", "image": "log:1", "volumeMounts": [{"name": "v", "mountPath": "/v"}],
                "podInjectPolicy": "BeforeAppContainer", "shareVolumePolicy": {"type": "disabled"}, "imagePullPolicy": "Always",
                "terminationMessagePolicy": "File", "terminationMessagePath": "/dev/termination-log",
                "transferEnv": [{"sourceContainerName": "app", "envName": "A"}]}], "volumes": [{"name": "v", "emptyDir": {}}]}}}}""";
    private static final String CONVERSION = """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {"uid": "uid-1", "desiredAPIVersion": "apps.kruise.io/v1alpha1",
             "objects": [{"apiVersion": "apps.kruise.io/v1beta1", "kind": "SidecarSet", "metadata": {"name": "s"},
              "spec": {"selector": {"matchLabels": {"app": "x"}}, "containers": [{"name": "log", "image": "log:1"}]}}]}}""";
    private static final Map<String, String> REVIEWS = Map.of("/mutate-pod", POD, "/mutate-apps-kruise-io-sidecarset", SET,
            "/validate-apps-kruise-io-sidecarset", SET, CONVERT, CONVERSION);

    private final AutoCloseable controller;
    private final Scenario scenario;
    private final TrustingClient client;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    WebhookInputIT(Cluster cluster) throws Exception {
        Scenario.prepare(cluster);
        String url = "https://127.0.0.1:" + FreePorts.next();
        this.controller = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=" + url, "--metrics.port=0"));
        this.scenario = new Scenario(cluster, "input", 0, 1);
        scenario.applySet("v1");
        this.client = new TrustingClient(url);
        log.start();
        root().addAppender(log);
    }

    @AfterEach
    void close() throws Exception {
        root().detachAppender(log);
        client.close();
        scenario.close();
        controller.close();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Test
    void everythingGetsAnAnswerAndTheServerGoesOn() throws Exception {
        long seed = Long.getLong("pillion.seed", 1);
        for (Map.Entry<String, String> path : REVIEWS.entrySet()) {
            ObjectNode review = (ObjectNode) Json.read(path.getValue());
            byte[] bytes = Json.bytes(review);
            assertAnsweredWell(path.getKey(), bytes);
            assertRefused(path.getKey(), new byte[0]);
            assertRefused(path.getKey(), " ".getBytes(StandardCharsets.UTF_8));
            BrokenReviews broken = new BrokenReviews(seed);
            for (int round = 0; round < ROUNDS; round++) {
                assertRefused(path.getKey(), broken.bytes());
                assertRefused(path.getKey(), broken.json());
                assertRefused(path.getKey(), broken.cut(bytes));
                judged(path.getKey(), broken.withOneByteChanged(bytes));
                judged(path.getKey(), broken.withOneMemberChanged(review));
            }
            assertAnsweredWell(path.getKey(), bytes);
        }
        assertNoFaultLogged();
    }

    @Test
    void anyMemberMayBeOdd() throws Exception {
        for (Map.Entry<String, String> path : REVIEWS.entrySet()) {
            for (byte[] odd : BrokenReviews.withEachMemberOdd((ObjectNode) Json.read(path.getValue()))) {
                judged(path.getKey(), odd);
            }
        }
        assertNoFaultLogged();
    }

    @Test
    void theUidOfABrokenReviewComesBack() throws Exception {
        for (Map.Entry<String, String> path : REVIEWS.entrySet()) {
            byte[] whole = path.getValue().getBytes(StandardCharsets.UTF_8);
            byte[] cut = Arrays.copyOf(whole, whole.length - 20);

            JsonNode response = assertRefused(path.getKey(), cut);

            assertThat(Json.text(response, "uid")).as(path.getKey()).isEqualTo("uid-1");
        }
    }

    @Test
    void httpsOwnRefusals() throws Exception {
        for (String path : REVIEWS.keySet()) {
            assertThat(client.post(path, "text/yaml", new byte[0]).statusCode()).as(path).isEqualTo(415);
            assertThat(client.post(path, JSON, new byte[BODY_LIMIT + 1]).statusCode()).as(path).isEqualTo(413);
        }
        for (Map.Entry<String, String> path : REVIEWS.entrySet()) {
            assertAnsweredWell(path.getKey(), path.getValue().getBytes(StandardCharsets.UTF_8));
        }
        assertNoFaultLogged();
    }

    private void assertAnsweredWell(String path, byte[] review) throws Exception {
        JsonNode response = judged(path, review);

        assertThat(Json.text(response, "uid")).isEqualTo("uid-1");
        assertThat(isGood(path, response)).as("answer of %s: %s", path, response).isTrue();
    }

    private JsonNode assertRefused(String path, byte[] body) throws Exception {
        JsonNode response = judged(path, body);
        assertThat(isGood(path, response)).as("answer of %s: %s to %s", path, response, new String(body, StandardCharsets.UTF_8)).isFalse();
        assertThat(Json.text(path.equals(CONVERT) ? response.path("result") : response.path("status"), "message")).isNotBlank();
        return response;
    }

    /** Posts and answers the review's response, which any body must get in good form. */
    private JsonNode judged(String path, byte[] body) throws Exception {
        HttpResponse<byte[]> answer = client.post(path, JSON, body);
        String sent = path + " with " + new String(body, StandardCharsets.UTF_8);
        assertThat(answer.statusCode()).as(sent).isEqualTo(200);
        JsonNode root = Json.read(answer.body());
        JsonNode response = root.path("response");
        assertThat(Json.text(root, "kind")).as(sent).isEqualTo(path.equals(CONVERT) ? "ConversionReview" : "AdmissionReview");
        assertThat(response.path("uid").isString()).as("%s: has a uid: %s", sent, response).isTrue();
        uid(body).ifPresent(uid -> assertThat(Json.text(response, "uid")).as(sent).isEqualTo(uid));
        assertThat(response.path("status").path("code").asInt(0)).as("%s: a fault of the program: %s", sent, response).isNotEqualTo(500);
        return response;
    }

    /** The uid of a body that is JSON in UTF-8. */
    private static Optional<String> uid(byte[] body) {
        JsonNode root;
        try {
            root = Json.read(body);
        } catch (JacksonException e) {
            return Optional.empty();
        }
        return Optional.of(root.path("request").path("uid")).filter(JsonNode::isString).map(JsonNode::stringValue)
                .filter(u -> u.chars().noneMatch(c -> Character.isSurrogate((char) c)));
    }

    private static boolean isGood(String path, JsonNode response) {
        return path.equals(CONVERT)
                ? Json.text(response.path("result"), "status").equals("Success")
                : response.path("allowed").asBoolean(false);
    }

    private void assertNoFaultLogged() {
        assertThat(List.copyOf(log.list)).filteredOn(e -> e.getLevel().isGreaterOrEqual(Level.ERROR) || e.getThrowableProxy() != null)
                .extracting(e -> e.getLoggerName() + ": " + e.getFormattedMessage() + " " + e.getKeyValuePairs()
                        + (e.getThrowableProxy() == null
                                ? ""
                                : " " + e.getThrowableProxy().getClassName() + " " + e.getThrowableProxy().getMessage()))
                .isEmpty();
    }
}

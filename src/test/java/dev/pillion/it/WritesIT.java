package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.fabric8.kubernetes.client.KubernetesClient;

import tools.jackson.databind.JsonNode;

/** What a write answers: codes, reasons, causes, and what is stored in the end. */
@OnEveryCluster
final class WritesIT {
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private final Cluster cluster;
    private KubernetesClient client;
    private RawHttp http;
    private String namespace;
    private String pods;

    WritesIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
        this.namespace = "";
        this.pods = "";
    }

    @BeforeEach
    void makeNamespace() {
        namespace = cluster.newNamespace("writes");
        pods = "/api/v1/namespaces/" + namespace + "/pods";
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    private JsonNode create(String name) {
        RawHttp.Answer answer = http.post(pods, Pods.pod(name, ""));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return answer.body();
    }

    private RawHttp.Answer strategic(String name, String patch) {
        return http.send("PATCH", pods + "/" + name, STRATEGIC, patch);
    }

    @Test
    void fillsInWhatTheServerDecides() {
        JsonNode pod = create("a");

        assertThat(pod.at("/metadata/uid").stringValue("")).hasSize(36);
        assertThat(pod.at("/metadata/generation").intValue()).isEqualTo(1);
        assertThat(pod.at("/metadata/creationTimestamp").stringValue("")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(pod.at("/spec/restartPolicy").stringValue("")).isEqualTo("Always");
        assertThat(pod.at("/spec/containers/0/imagePullPolicy").stringValue("")).isEqualTo("IfNotPresent");
        assertThat(pod.at("/spec/containers/0/terminationMessagePath").stringValue("")).isEqualTo("/dev/termination-log");
        assertThat(pod.at("/spec/tolerations").size()).isEqualTo(2);
        assertThat(pod.at("/status/phase").stringValue("")).isEqualTo("Pending");
        assertThat(pod.at("/status/qosClass").stringValue("")).isEqualTo("BestEffort");
    }

    @Test
    void makesANameFromAStem() {
        RawHttp.Answer answer = http.post(pods,
                Pods.pod("", "\"generateName\":\"web-\",").replace(",\"name\":\"\"", "").replace("\"name\":\"\",", ""));

        assertThat(answer.body().at("/metadata/name").stringValue("")).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            Bad_Name |                                                                          | 422 | Invalid    | FieldValueInvalid metadata.name
            a        | "containers":[]                                                          | 422 | Invalid    | FieldValueRequired spec.containers
            a        | "containers":[{"name":"x","image":"i"},{"name":"x","image":"i"}]         | 422 | Invalid    | FieldValueDuplicate spec.containers[1].name
            a        | "containers":[{"name":"x"}]                                              | 422 | Invalid    | FieldValueRequired spec.containers[0].image
            a        | "containers":[{"name":"x","image":"i","volumeMounts":[{"name":"v","mountPath":"/v"}]}] | 422 | Invalid | FieldValueNotFound spec.containers[0].volumeMounts[0].name
            a        | "restartPolicy":"Maybe","containers":[{"name":"x","image":"i"}]          | 422 | Invalid    | FieldValueNotSupported spec.restartPolicy
            a        | "containers":[{"name":"x","image":"i","resources":{"requests":{"cpu":"2"},"limits":{"cpu":"1"}}}] | 422 | Invalid | FieldValueInvalid spec.containers[0].resources.requests
            a        | "containers":[{"name":"x","image":"i","resources":{"requests":{"cpu":"x"}}}] | 400 | BadRequest | -
            a        | "containers":"x"                                                         | 400 | BadRequest | -
            """)
    void refusesABrokenPod(String name, String spec, int code, String reason, String cause) {
        String body = spec == null || spec.isEmpty()
                ? Pods.pod(name, "")
                : "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(name, spec);

        RawHttp.Answer answer = http.post(pods, body);

        assertThat(answer.code()).as(answer.message()).isEqualTo(code);
        assertThat(answer.reason()).isEqualTo(reason);
        if (cause != null) {
            assertThat(answer.causes()).singleElement().asString().startsWith(cause + ":");
        }
    }

    @Test
    void refusesWhatDoesNotFitTheAddress() {
        create("a");
        assertThat(http.post(pods, Pods.pod("a", "")).reason()).isEqualTo("AlreadyExists");
        assertThat(http.post(pods, Pods.pod("b", "\"namespace\":\"default\",")).code()).isEqualTo(400);
        assertThat(http.post(pods, Pods.pod("b", "\"resourceVersion\":\"1\",")).code()).isEqualTo(500);
        assertThat(http.post("/api/v1/namespaces/no-such/pods", Pods.pod("b", "")).code()).isEqualTo(404);
        assertThat(http.post("/api/v1/pods", Pods.pod("b", "")).code()).isEqualTo(405);
        assertThat(http.post(pods, "{").code()).isEqualTo(400);
        assertThat(http.post(pods, "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"}").code()).isEqualTo(400);
        assertThat(http.get("/api/v1/no-such-type").code()).isEqualTo(404);
        assertThat(http.send("PATCH", pods + "/a", "application/json", "{}").code()).isEqualTo(415);
        assertThat(http.send("POST", pods, "application/cbor", "{}").code()).isEqualTo(415);
    }

    @Test
    void guardsByRevisionAndUid() {
        String rv = create("a").at("/metadata/resourceVersion").stringValue("");
        assertThat(strategic("a", Pods.images("side=envoy:2")).code()).isEqualTo(200);

        RawHttp.Answer stale = strategic("a", "{\"metadata\":{\"resourceVersion\":\"%s\",\"labels\":{\"x\":\"y\"}}}".formatted(rv));
        RawHttp.Answer otherUid = strategic("a", "{\"metadata\":{\"uid\":\"other\",\"labels\":{\"x\":\"y\"}}}");
        RawHttp.Answer both = strategic("a", "{\"metadata\":{\"uid\":\"other\",\"resourceVersion\":\"%s\"}}".formatted(rv));
        RawHttp.Answer put = http.put(pods + "/a", Pods.pod("a", "\"uid\":\"other\","));
        RawHttp.Answer gone = strategic("b", Pods.images("side=envoy:2"));

        assertThat(List.of(stale.code(), otherUid.code(), both.code(), put.code(), gone.code())).containsExactly(409, 422, 409, 409, 404);
        assertThat(stale.reason()).isEqualTo("Conflict");
        assertThat(otherUid.causes()).isNotEmpty().allMatch(cause -> cause.startsWith("FieldValueInvalid metadata.uid:"));
    }

    @Test
    void keepsTheContainersInTheirOrder() {
        create("a");
        JsonNode one = strategic("a", Pods.images("side=envoy:2")).body();
        JsonNode two = strategic("a", Pods.images("main=nginx:3", "side=envoy:3")).body();
        RawHttp.Answer swapped = strategic("a", Pods.images("side=envoy:4", "main=nginx:4"));
        RawHttp.Answer unknown = strategic("a", Pods.images("ghost=envoy:4"));
        RawHttp.Answer env = strategic("a", "{\"spec\":{\"containers\":[{\"name\":\"side\",\"env\":[{\"name\":\"A\",\"value\":\"2\"}]}]}}");

        assertThat(images(one)).containsExactly("main=nginx:1", "side=envoy:2");
        assertThat(images(two)).containsExactly("main=nginx:3", "side=envoy:3");
        assertThat(two.at("/metadata/generation").intValue()).isEqualTo(3);
        assertThat(List.of(swapped, unknown, env)).allMatch(answer -> answer.code() == 422);
        assertThat(images(http.get(pods + "/a").body())).containsExactly("main=nginx:3", "side=envoy:3");
    }

    private static List<String> images(JsonNode pod) {
        List<String> images = new ArrayList<>();
        pod.at("/spec/containers").forEach(c -> images.add(c.path("name").stringValue("") + "=" + c.path("image").stringValue("")));
        return images;
    }

    @Test
    void aPatchThatChangesNothingIsNoWrite() {
        create("a");
        JsonNode first = strategic("a", Pods.images("side=envoy:2")).body();

        RawHttp.Answer again = strategic("a", Pods.images("side=envoy:2"));

        assertThat(again.code()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first);
        assertThat(http.watch(pods + "?watch=1&timeoutSeconds=1&resourceVersion=" + first.at("/metadata/resourceVersion").stringValue("")))
                .isEmpty();
    }

    @Test
    void statusAndTheRestAreSeparate() {
        create("a");
        RawHttp.Answer main = strategic("a", "{\"status\":{\"phase\":\"Running\"}}");
        JsonNode status = http.send("PATCH", pods + "/a/status", STRATEGIC,
                "{\"metadata\":{\"annotations\":{\"via\":\"status\"}},\"spec\":{\"hostNetwork\":true},\"status\":{\"conditions\":[{\"type\":\"A\",\"status\":\"True\"}]}}")
                .body();
        JsonNode second = http.send("PATCH", pods + "/a/status", STRATEGIC,
                "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"B\",\"status\":\"False\"}]}}").body();

        assertThat(main.code()).isEqualTo(200);
        assertThat(main.body().at("/status/phase").stringValue("")).isEqualTo("Pending");
        assertThat(status.at("/metadata/annotations/via").stringValue("")).isEqualTo("status");
        assertThat(status.at("/spec/hostNetwork").isMissingNode()).isTrue();
        assertThat(status.at("/metadata/generation").intValue()).isEqualTo(1);
        assertThat(status.at("/status/conditions/0/lastTransitionTime").isNull()).isTrue();
        assertThat(second.at("/status/conditions/0/type").stringValue("")).isEqualTo("B");
        assertThat(second.at("/status/phase").stringValue("")).isEqualTo("Running");
    }

    @Test
    void patchesByMergeAndByOperations() {
        create("a");
        JsonNode merged = http.merge(pods + "/a", "{\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},\"labels\":null}}").body();
        String operations = "application/json-patch+json";
        JsonNode added = http
                .send("PATCH", pods + "/a", operations, "[{\"op\":\"add\",\"path\":\"/metadata/annotations/x~1y\",\"value\":\"3\"}]")
                .body();
        RawHttp.Answer test = http.send("PATCH", pods + "/a", operations,
                "[{\"op\":\"test\",\"path\":\"/metadata/annotations/a\",\"value\":\"9\"}]");
        RawHttp.Answer noPatch = http.send("PATCH", pods + "/a", operations, "{}");

        assertThat(merged.at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(added.at("/metadata/annotations/x~1y").stringValue("")).isEqualTo("3");
        assertThat(List.of(test.code(), noPatch.code())).containsExactly(422, 400);
    }

    @Test
    void aDryRunStoresNothing() {
        RawHttp.Answer answer = http.post(pods + "?dryRun=All", Pods.pod("a", ""));

        assertThat(answer.code()).isEqualTo(201);
        assertThat(answer.body().at("/metadata/uid").stringValue("")).isNotEmpty();
        assertThat(http.get(pods + "/a").code()).isEqualTo(404);
        assertThat(http.post(pods + "?dryRun=Perhaps", Pods.pod("a", "")).code()).isEqualTo(422);
    }

    @Test
    void leasesNeedTheirRevision() {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        String lease = "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{%s\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"%s\"}}";
        JsonNode made = http.post(leases, lease.formatted("", "a")).body();
        String rv = "\"resourceVersion\":\"" + made.at("/metadata/resourceVersion").stringValue("") + "\",";
        String uid = "\"uid\":\"" + made.at("/metadata/uid").stringValue("") + "\",";

        assertThat(http.put(leases + "/l", lease.formatted("", "b")).code()).isEqualTo(422);
        assertThat(http.put(leases + "/l", lease.formatted(rv, "b")).code()).isEqualTo(200);
        assertThat(http.put(leases + "/l", lease.formatted(rv, "c")).code()).isEqualTo(409);
        assertThat(http.delete(leases + "/l").code()).isEqualTo(200);
        assertThat(http.put(leases + "/l", lease.formatted(uid + rv, "c")).code()).isEqualTo(409);
        assertThat(http.put(leases + "/l", lease.formatted(rv, "c")).code()).isEqualTo(201);
    }

    @Test
    void eventsShowInBothGroups() {
        String fresh = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
        String event = """
                {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e.1"},"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"p",
                 "reportingInstance":"i","action":"%s","reason":"R","type":"Normal","note":"%s","regarding":{"kind":"Pod","name":"a","namespace":"%s"}}""";

        assertThat(http.post(fresh, event.formatted("", "n", namespace)).causes())
                .containsExactly("FieldValueRequired action: Required value");
        assertThat(http.post(fresh, event.formatted("A", "x".repeat(1025), namespace)).code()).isEqualTo(422);
        assertThat(http.post(fresh, event.formatted("A", "n", "")).causes()).singleElement().asString()
                .contains("does not match event.namespace");
        assertThat(http.post(fresh, event.formatted("A", "n", namespace)).code()).isEqualTo(201);
        JsonNode core = http.get("/api/v1/namespaces/" + namespace + "/events?fieldSelector=involvedObject.name%3Da").body();
        assertThat(core.at("/items/0/message").stringValue("")).isEqualTo("n");
        assertThat(http.merge(fresh + "/e.1", "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-01-01T00:00:01.000000Z\"}}").code())
                .isEqualTo(200);
        assertThat(http.merge(fresh + "/e.1", "{\"note\":\"other\"}").code()).isEqualTo(422);
    }

    @Test
    void deploymentsCountSpecAndAnnotations() {
        String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
        http.post(deployments, """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
                 "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"m","image":"i"}]}}}}""");
        List<Integer> generations = new ArrayList<>();
        for (String patch : List.of("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}",
                "{\"spec\":{\"paused\":true}}")) {
            generations.add(http.merge(deployments + "/d", patch).body().at("/metadata/generation").intValue());
        }
        JsonNode scaled = http.merge(deployments + "/d/scale", "{\"spec\":{\"replicas\":4}}").body();

        assertThat(generations).containsExactly(1, 2, 3);
        assertThat(scaled.path("kind").stringValue("")).isEqualTo("Scale");
        assertThat(http.get(deployments + "/d").body().at("/spec/replicas").intValue()).isEqualTo(4);
        assertThat(http.merge(deployments + "/d", "{\"spec\":{\"selector\":{\"matchLabels\":{\"c\":\"d\"}}}}").code()).isEqualTo(422);
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster with a running controller, and Pods of one namespace written as a user writes them; texts use single quotes. */
final class PodApi implements AutoCloseable {
    private final SetApi sets;
    private final int metricsPort;
    private final String namespace;
    private final TrustingClient direct;

    private PodApi(SetApi sets, int metricsPort, String namespace) throws GeneralSecurityException {
        this.sets = sets;
        this.metricsPort = metricsPort;
        this.namespace = namespace;
        this.direct = new TrustingClient(sets.webhookUrl());
    }

    static PodApi start(Cluster cluster, String... flags) throws Exception {
        int metricsPort = FreePorts.next();
        String[] all = Stream.concat(Stream.of(flags), Stream.of("--metrics.port=" + metricsPort)).toArray(String[]::new);
        return new PodApi(SetApi.start(cluster, all), metricsPort, cluster.newNamespace("shop"));
    }

    static ObjectNode json(String text) {
        return (ObjectNode) Json.read(text.replace('\'', '"'));
    }

    SetApi sets() {
        return sets;
    }

    RawHttp http() {
        return sets.http();
    }

    String namespace() {
        return namespace;
    }

    /** Creates a set that takes Pods with label app and its own name, unless the spec has a selector; waits until the controller knows it. */
    void set(String name, String spec) {
        set(name, "{}", spec);
    }

    /** @param metadata more metadata than the name */
    void set(String name, String metadata, String spec) {
        ObjectNode set = json("{'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet'}");
        set.set("metadata", json(metadata).put("name", name));
        ObjectNode content = set.putObject("spec");
        content.putObject("selector").putObject("matchLabels").put("app", name);
        content.setAll(json(spec));
        sets.create(SetApi.BETA, set.toString());
        sets.settled(name);
    }

    /** A merge patch of a set's spec; waits until the controller knows it. */
    void change(String name, String spec) {
        RawHttp.Answer answer = http().merge(SetApi.path(SetApi.BETA, name), "{\"spec\":" + json(spec) + "}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        sets.settled(name);
    }

    static String pods(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    /** A Pod with that label app and one container "app", unless the spec has others. */
    static ObjectNode manifest(String app, String spec) {
        ObjectNode pod = json("{'apiVersion':'v1','kind':'Pod','metadata':{},'spec':{'automountServiceAccountToken':false,"
                + "'containers':[{'name':'app','image':'app:1'}]}}");
        pod.withObject("/metadata").put("generateName", app + "-").putObject("labels").put("app", app);
        pod.withObject("/spec").setAll(json(spec));
        return pod;
    }

    RawHttp.Answer submit(ObjectNode pod) {
        return http().post(pods(namespace), pod.toString());
    }

    /** Creates a Pod, which must succeed, and answers what is stored. */
    ObjectNode create(ObjectNode pod) {
        return created(submit(pod));
    }

    ObjectNode create(String app, String spec) {
        return create(manifest(app, spec));
    }

    /** What was stored by a request that must have succeeded. */
    static ObjectNode created(RawHttp.Answer answer) {
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return (ObjectNode) answer.body();
    }

    static List<String> names(JsonNode pod, String list) {
        return pod.path("spec").path(list).valueStream().map(c -> Json.text(c, "name")).toList();
    }

    static List<String> containers(JsonNode pod) {
        return names(pod, "containers");
    }

    static JsonNode container(JsonNode pod, String name) {
        return pod.path("spec").valueStream().flatMap(JsonNode::valueStream)
                .filter(c -> c.has("image") && Json.text(c, "name").equals(name))
                .findFirst().orElseThrow(() -> new AssertionError("no container " + name + " in " + pod.path("spec")));
    }

    static List<String> env(JsonNode pod, String container) {
        return container(pod, container).path("env").valueStream().map(e -> Json.text(e, "name")).toList();
    }

    static String annotation(JsonNode pod, String key) {
        return Json.text(pod.path("metadata").path("annotations"), key);
    }

    /** Creates Pods until one has these containers: a change of another object than a set takes a moment to be known. */
    void awaitContainers(String app, String... wanted) {
        Eventually.until("new Pods of " + app + " have " + List.of(wanted), () -> containers(create(app, "{}")), List.of(wanted)::equals);
    }

    /** The webhook's response to a create of this Pod, asked directly. */
    JsonNode review(ObjectNode pod) throws Exception {
        ObjectNode review = json("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','operation':'CREATE',"
                + "'kind':{'group':'','version':'v1','kind':'Pod'},'resource':{'group':'','version':'v1','resource':'pods'},'dryRun':false}}");
        ObjectNode request = review.withObject("/request");
        request.put("namespace", namespace).put("name", Json.text(pod.path("metadata"), "name")).set("object", pod);
        return respond(review);
    }

    /** The response to any review of a Pod. */
    JsonNode respond(ObjectNode review) throws Exception {
        HttpResponse<byte[]> answer = direct.post("/mutate-pod", "application/json", Json.bytes(review));
        assertThat(answer.statusCode()).isEqualTo(200);
        return Json.read(answer.body()).path("response");
    }

    /** Admissions of Pods so far, by reason and result, as the controller counts them. */
    Map<String, Double> injections() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http
                    .send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + "/metrics")).timeout(Duration.ofSeconds(30))
                            .build(), HttpResponse.BodyHandlers.ofString())
                    .body().lines().filter(line -> line.startsWith("pillion_injections_total{"))
                    .collect(Collectors.toMap(line -> line.substring(line.indexOf('{'), line.indexOf(' ')),
                            line -> Double.valueOf(line.substring(line.indexOf(' ')))));
        }
    }

    @Override
    public void close() {
        direct.close();
        try {
            sets.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

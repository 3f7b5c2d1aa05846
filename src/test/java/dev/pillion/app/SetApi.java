package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster with a running controller, asked about SidecarSets in both versions: by kubectl and by plain requests. */
@SuppressWarnings("try") // closing may be interrupted like any test
final class SetApi implements AutoCloseable {
    static final String BETA = "v1beta1";
    static final String ALPHA = "v1alpha1";

    private final Cluster cluster;
    private final String own;
    private final String webhooks;
    private final AutoCloseable controller;
    private final KubernetesClient client;
    private final RawHttp http;

    private SetApi(Cluster cluster, String own, String webhooks, AutoCloseable controller) {
        this.cluster = cluster;
        this.own = own;
        this.webhooks = webhooks;
        this.controller = controller;
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    /** Starts a controller in a namespace of its own, with more flags, and waits until its webhooks are asked. */
    static SetApi start(Cluster cluster, String... flags) throws InterruptedException {
        Scenario.prepare(cluster);
        String own = cluster.newNamespace("own");
        String webhooks = "https://127.0.0.1:" + FreePorts.next();
        List<String> all = new ArrayList<>(List.of("--webhook-url=" + webhooks, "--namespace=" + own));
        if (Stream.of(flags).noneMatch(flag -> flag.startsWith("--metrics.port"))) {
            all.add("--metrics.port=0");
        }
        all.addAll(List.of(flags));
        SetApi api = new SetApi(cluster, own, webhooks, Main.startController(cluster.controllerKubeconfig(own), all));
        String probe = "{\"apiVersion\":\"apps.kruise.io/v1alpha1\",\"kind\":\"SidecarSet\",\"metadata\":{\"name\":\"probe\"},\"spec\":{}}";
        Eventually.until("the webhooks are asked", () -> api.http.post(path(ALPHA) + "?dryRun=All", probe), a -> a.code() == 422);
        return api;
    }

    /** The address of the controller's webhooks, for requests that no API server sends. */
    String webhookUrl() {
        return webhooks;
    }

    String ownNamespace() {
        return own;
    }

    KubernetesClient client() {
        return client;
    }

    RawHttp http() {
        return http;
    }

    static String path(String version) {
        return "/apis/apps.kruise.io/" + version + "/sidecarsets";
    }

    static String path(String version, String name) {
        return path(version) + "/" + name;
    }

    /** The set as a client of that version sees it. */
    ObjectNode read(String version, String name) {
        RawHttp.Answer answer = http.get(path(version, name));
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        assertThat(Json.text(answer.body(), "apiVersion")).isEqualTo("apps.kruise.io/" + version);
        return (ObjectNode) answer.body();
    }

    JsonNode spec(String version, String name) {
        return read(version, name).path("spec");
    }

    /** Waits until the controller has written its status for the set as it is now; answers the set. */
    ObjectNode settled(String name) {
        return Eventually.until("the status of " + name + " is up to date", () -> read(BETA, name),
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation")) && s.at("/status/latestRevision").isString());
    }

    /** Creates from JSON text; the answer must be 201. */
    ObjectNode create(String version, String body) {
        RawHttp.Answer answer = http.post(path(version), body);
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return (ObjectNode) answer.body();
    }

    Kubectl kubectl() {
        assumeTrue(Kubectl.present(), "kubectl is not on the PATH");
        return cluster.kubectl();
    }

    /** A client-side apply of a manifest; more arguments such as --server-side may follow. */
    Kubectl.Answer apply(String manifest, String... more) {
        return kubectl().with(manifest, Stream.concat(Stream.of("apply", "-f", "-"), Stream.of(more)).toArray(String[]::new));
    }

    @Override
    public void close() throws Exception {
        controller.close();
        client.close();
    }
}

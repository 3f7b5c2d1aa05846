package dev.pillion.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.pillion.api.Json;
import dev.pillion.it.Eventually;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;

/** One of several controllers of one installation, as a process: asked over its ports, told apart by its identity. */
final class Replica implements AutoCloseable {
    /** Short, so that a test need not wait long; the proportions are those of the defaults. */
    static final Duration DURATION = Duration.ofSeconds(6);
    private static final Pattern IDENTITY = Pattern.compile("identity=\"([^\"]+)\"");
    private static final String REVIEW = """
            {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u", "operation": "CREATE", "namespace": "default",
             "kind": {"group": "", "version": "v1", "kind": "Pod"}, "resource": {"group": "", "version": "v1", "resource": "pods"},
             "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"app": "%s"}},
              "spec": {"containers": [{"name": "app", "image": "app:1"}]}}}}""";

    private final PillionProcess process;
    private final String webhooks;
    private final int metricsPort;
    private final HttpClient http = HttpClient.newHttpClient();

    private Replica(PillionProcess process, String webhooks, int metricsPort) {
        this.process = process;
        this.webhooks = webhooks;
        this.metricsPort = metricsPort;
    }

    /** Returns when it is ready, whether it leads or not. */
    static Replica start(Path kubeconfig, String ownNamespace, String... settings) {
        Replica replica = launch(kubeconfig, ownNamespace, settings);
        replica.awaitReady();
        return replica;
    }

    /** Returns at once. */
    static Replica launch(Path kubeconfig, String ownNamespace, String... settings) {
        String url = "https://127.0.0.1:" + FreePorts.next();
        int metrics = FreePorts.next();
        List<String> arguments = new ArrayList<>(List.of("run", "--kubeconfig", kubeconfig.toString(), "--webhook-url=" + url,
                "--metrics.port=" + metrics, "--namespace=" + ownNamespace, "--lease.duration=" + DURATION.toSeconds() + "s",
                "--lease.deadline=4s", "--lease.renew=2s", "--status.min-interval=200ms"));
        arguments.addAll(List.of(settings));
        PillionProcess process = PillionProcess.start(arguments.toArray(String[]::new));
        return new Replica(process, url, metrics);
    }

    void awaitReady() {
        process.awaitOutput("Pillion is ready");
    }

    PillionProcess process() {
        return process;
    }

    boolean leads() throws IOException, InterruptedException {
        return get("/metrics").contains("leader_election_master_status{name=\"pillion-slot-0\"} 1.0");
    }

    /** The same, for one that may not live any more. */
    boolean mayLead() {
        try {
            return leads();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isReady() throws IOException, InterruptedException {
        return get("/readyz").startsWith("ok");
    }

    /** Of /metrics and the probes. */
    URI endpoint(String path) {
        return URI.create("http://127.0.0.1:" + metricsPort + path);
    }

    /** The sum of the samples of a metric whose labels contain this text. */
    double metric(String name, String labels) throws IOException, InterruptedException {
        return get("/metrics").lines().filter(l -> l.startsWith(name + "{") || l.startsWith(name + " ")).filter(l -> l.contains(labels))
                .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1))).sum();
    }

    String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(endpoint(path)).timeout(Duration.ofSeconds(10)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    boolean hasUpgraded() throws IOException, InterruptedException {
        return get("/metrics").lines()
                .anyMatch(l -> l.startsWith("pillion_reconcile_writes_total") && l.contains("result=\"ok\",what=\"upgrade\""));
    }

    void awaitLead(Duration patience) {
        Eventually.until("it leads", patience, this::leads);
    }

    /** Whether its own webhook puts the sidecar into a Pod with that label, as the API server would ask it. */
    boolean injects(String app) throws Exception {
        try (TrustingClient client = new TrustingClient(webhooks)) {
            byte[] answer = client.post("/mutate-pod", "application/json", REVIEW.formatted(app).getBytes(StandardCharsets.UTF_8)).body();
            JsonNode response = Json.read(answer).path("response");
            return response.path("allowed").asBoolean(false) && response.has("patch");
        }
    }

    /** As it names itself in Leases and audit logs; known once it has led. */
    String identity() {
        Matcher matcher = IDENTITY.matcher(process.output());
        if (!matcher.find()) {
            throw new AssertionError("it has never led:\n" + process.output());
        }
        return matcher.group(1);
    }

    @Override
    public void close() throws IOException {
        http.close();
        process.close();
    }
}

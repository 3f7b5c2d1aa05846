package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;

/**
 * A cluster with a running controller and no nodes: what containers do is played by the test (see {@link Trial}). The tests of a class
 * share it, each with a set and Pods of its own.
 */
final class RunningCluster implements AutoCloseable {
    private final Cluster cluster;
    private final String own;
    private final KubernetesClient client;
    private final RawHttp http;
    private String url = "https://127.0.0.1:" + FreePorts.next();
    private AutoCloseable controller;

    private RunningCluster(Cluster cluster, String own, AutoCloseable controller) {
        this.cluster = cluster;
        this.own = own;
        this.client = cluster.client();
        this.http = new RawHttp(client);
        this.controller = controller;
    }

    /** With controllers that the test has started and stops itself. */
    static RunningCluster around(Cluster cluster, String own) {
        RunningCluster running = new RunningCluster(cluster, own, () -> {
        });
        running.awaitWebhooks();
        return running;
    }

    /** Returns when the controller's webhooks are asked. */
    static RunningCluster start(Cluster cluster, String... settings) throws InterruptedException {
        Scenario.prepare(cluster);
        RunningCluster running = new RunningCluster(cluster, cluster.newNamespace("own"), () -> {
        });
        running.goOn(settings);
        running.awaitWebhooks();
        return running;
    }

    void awaitWebhooks() {
        String probe = "{\"apiVersion\":\"apps.kruise.io/v1beta1\",\"kind\":\"SidecarSet\",\"metadata\":{\"name\":\"probe\"},\"spec\":{}}";
        Eventually.until("the webhooks are asked", Duration.ofSeconds(90), () -> http.post(Trial.SETS + "?dryRun=All", probe),
                a -> a.code() == 422);
    }

    private AutoCloseable start(String... settings) throws InterruptedException {
        return Main.startController(cluster.controllerKubeconfig(own), all(settings));
    }

    private List<String> all(String... settings) {
        List<String> all = new ArrayList<>(
                List.of("--webhook-url=" + url, "--metrics.port=0", "--namespace=" + own, "--status.min-interval=50ms"));
        all.addAll(List.of(settings));
        return all;
    }

    /** A controller in a process of its own, for a test that kills it; the one in this JVM must be stopped. */
    PillionProcess process(String... settings) {
        List<String> arguments = new ArrayList<>(List.of("run", "--kubeconfig", cluster.controllerKubeconfig(own).toString()));
        arguments.addAll(all(settings));
        return PillionProcess.start(arguments.toArray(String[]::new));
    }

    /** Stops the controller in order. Pods cannot be created until {@link #goOn}. */
    void stopController() throws Exception {
        controller.close();
    }

    void goOn(String... settings) throws InterruptedException {
        controller = start(settings);
    }

    /** At another address than the one in the webhook configurations, where nobody answers any more. */
    void goOnElsewhere() throws InterruptedException {
        url = "https://127.0.0.1:" + FreePorts.next();
        goOn();
    }

    Cluster cluster() {
        return cluster;
    }

    /** Path of the ControllerRevisions. */
    String revisions() {
        return "/apis/apps/v1/namespaces/" + own + "/controllerrevisions";
    }

    RawHttp http() {
        return http;
    }

    /** A set of that name and a namespace for its Pods; neither the set nor Pods are there yet. */
    Trial trial(String name) {
        return new Trial(this, name, cluster.newNamespace(name));
    }

    RawHttp.Answer post(String path, String body) {
        RawHttp.Answer answer = http.post(path, body);
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return answer;
    }

    @Override
    public void close() {
        try {
            controller.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new AssertionError("the controller did not stop", e);
        } finally {
            client.close();
        }
    }
}

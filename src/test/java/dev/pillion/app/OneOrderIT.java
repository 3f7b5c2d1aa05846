package dev.pillion.app;

import static dev.pillion.app.PodApi.json;
import static dev.pillion.app.PodApi.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** FR-05: five sets, two hundred Pods, two controllers and a restart give one order. */
@OnEveryCluster
final class OneOrderIT {
    private static final int PODS = 200;
    private static final String OURS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/pillion-mutating-webhook-configuration";
    /** In the order of their creation; those named bound-* select the namespace by its name and so come first. */
    private static final List<String> SETS = List.of("zeta", "bound-z", "alpha", "mid", "bound-a");

    private final Cluster cluster;
    private final KubernetesClient client;
    private final RawHttp http;
    private final String own;
    private final String namespace;

    OneOrderIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.http = new RawHttp(client);
        Scenario.prepare(cluster);
        this.own = cluster.newNamespace("own");
        this.namespace = cluster.newNamespace("shop");
    }

    @Test
    void everyPodHasTheSameOrder() throws Exception {
        String a = "https://127.0.0.1:" + FreePorts.next();
        String b = "https://127.0.0.1:" + FreePorts.next();
        Map<String, Integer> orders = new HashMap<>();
        try (PillionProcess first = start(a)) {
            awaitAsked(a);
            SETS.forEach(this::create);
            SETS.forEach(this::awaitKnown);
            createPods("a", PODS / 2, orders);
            List<String> ofTheFirst = reviews(a);
            try (PillionProcess second = start(b)) {
                // From now on each tells the API server its own address now and then, so both get some of the Pods.
                second.awaitOutput("Pillion is ready");
                createPods("b", PODS / 2, orders);

                assertThat(orders).containsExactly(Map.entry("[ay0, alpha0, bound-a0, bound-z0, mid0, zeta0] "
                        + "[bound-a2, bound-z2, alpha2, mid2, zeta2, z, y, bound-a1, bound-z1, alpha1, mid1, zeta1] "
                        + "[v, bound-a, bound-z, alpha, mid, zeta]", PODS));
                assertThat(reviews(b)).isEqualTo(ofTheFirst);
                assertThat(first.terminate()).as(first.output()).isZero();
                try (PillionProcess again = start(a)) {
                    again.awaitOutput("Pillion is ready");
                    assertThat(reviews(a)).as("after a restart").isEqualTo(ofTheFirst);
                }
                assertThat(second.output()).doesNotContain("ERROR");
            }
        } finally {
            client.close();
        }
    }

    private PillionProcess start(String url) {
        return PillionProcess.start("run", "--kubeconfig", cluster.controllerKubeconfig(own).toString(), "--webhook-url", url,
                "--metrics.port=0", "--namespace=" + own);
    }

    /** Waits until the API server asks the controller at this address. */
    private void awaitAsked(String url) {
        Eventually.until("the API server is told to ask " + url,
                () -> Json.text(http.get(OURS).body().at("/webhooks/0/clientConfig"), "url"),
                told -> told.startsWith(url));
        Eventually.until("it does", () -> http.post(SetApi.path(SetApi.BETA) + "?dryRun=All",
                json("{'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet','metadata':{'name':'probe'},'spec':{}}").toString()),
                answer -> answer.code() == 422);
    }

    private void create(String name) {
        ObjectNode set = json("""
                {'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet','metadata':{'name':'%1$s'},'spec':{
                 'selector':{'matchLabels':{'app':'order'}},'updateStrategy':{'type':'NotUpdate'},
                 'initContainers':[{'name':'%1$s0','image':'i'}],'volumes':[{'name':'%1$s','emptyDir':{}}],'containers':[
                  {'name':'%1$s2','image':'i','volumeMounts':[{'name':'%1$s','mountPath':'/m'}]},
                  {'name':'%1$s1','image':'i','podInjectPolicy':'AfterAppContainer'}]}}""".formatted(name));
        if (name.startsWith("bound-")) {
            set.withObject("/spec").set("namespaceSelector", json("{'matchLabels':{'kubernetes.io/metadata.name':'" + namespace + "'}}"));
        }
        RawHttp.Answer answer = http.post(SetApi.path(SetApi.BETA), set.toString());
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private void awaitKnown(String name) {
        Eventually.until("the controller knows " + name, () -> http.get(SetApi.path(SetApi.BETA, name)).body(),
                set -> set.at("/status/observedGeneration").equals(set.at("/metadata/generation")));
    }

    private static ObjectNode pod(String name) {
        ObjectNode pod = manifest("order", "{'initContainers':[{'name':'ay0','image':'i'}],'volumes':[{'name':'v','emptyDir':{}}],"
                + "'containers':[{'name':'z','image':'i'},{'name':'y','image':'i'}]}");
        pod.withObject("/metadata").put("name", name).remove("generateName");
        return pod;
    }

    private void createPods(String prefix, int count, Map<String, Integer> orders) {
        for (int i = 0; i < count; i++) {
            ObjectNode stored = PodApi.created(http.post(PodApi.pods(namespace), pod(prefix + i).toString()));
            String order = PodApi.names(stored, "initContainers") + " " + PodApi.containers(stored) + " " + PodApi.names(stored, "volumes");
            orders.merge(order, 1, Integer::sum);
        }
    }

    /** What a controller answers to some Pods when it is asked directly; byte by byte, times apart. */
    private List<String> reviews(String url) throws Exception {
        List<String> patches = new ArrayList<>();
        try (TrustingClient direct = new TrustingClient(url)) {
            for (int i = 0; i < 10; i++) {
                ObjectNode review = json(
                        "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','operation':'CREATE',"
                                + "'kind':{'group':'','version':'v1','kind':'Pod'},'resource':{'group':'','version':'v1','resource':'pods'},"
                                + "'namespace':'" + namespace + "'}}");
                review.withObject("/request").set("object", pod("direct" + i));
                JsonNode response = Json.read(direct.post("/mutate-pod", "application/json", Json.bytes(review)).body()).path("response");
                patches.add(new String(Base64.getDecoder().decode(response.path("patch").stringValue()), StandardCharsets.UTF_8)
                        .replaceAll("[0-9-]{10}T[0-9:]{8}Z", "<time>"));
            }
        }
        return patches;
    }
}

package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** explain beside a running controller: each reason of FR-07 that a cluster can show, and what a roll-out waits for. */
@OnEveryCluster
final class ExplainIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String SECRET = "t0p-s3cret";

    private final Cluster cluster;
    private final ClusterCommands pillion;
    private final KubeClient client;
    private String namespace = "";
    private @Nullable Simulators simulators;
    private @Nullable AutoCloseable controller;

    ExplainIT(Cluster cluster) {
        this.cluster = cluster;
        this.pillion = new ClusterCommands(cluster);
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults("kruise-system", "test"));
    }

    @BeforeEach
    void start() throws Exception {
        Scenario.prepare(cluster);
        namespace = cluster.newNamespace("explained");
        simulators = Simulators.start(Optional.of(cluster.kubeconfig()), SimOptions.defaults()
                .withDelays(Delay.of(10, 50), Delay.of(50, 100), Delay.of(10, 50)).withNeverReady(Pattern.compile(".*:bad")));
        controller = Main.startController(cluster.controllerKubeconfig("kruise-system"),
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"));
    }

    @AfterEach
    void stop() throws Exception {
        if (controller != null) {
            controller.close();
        }
        if (simulators != null) {
            simulators.close();
        }
        client.close();
    }

    @Test
    void tellsTheReasonsOfInjectionApart() {
        createPod(namespace, "old", "all");
        awaitNextSecond("old");
        apply("labels", "other", "", "");
        apply("elsewhere", "all", "'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'elsewhere'}},", "");
        apply("paused", "all", "'injectionStrategy':{'paused':true},", "");
        apply("hidden", "all", "", "");
        apply("canary", "all", "'updateStrategy':{'type':'NotUpdate'},",
                "'apps.kruise.io/sidecarset-canary':'true','apps.kruise.io/sidecarset-base':'hidden'");
        apply("late", "all", "'injectionStrategy':{'paused':true},", "");
        JsonNode pod = createPod(namespace, "new", "all");
        assertThat(pod.at("/metadata/annotations/kruise.io~1sidecarset-injected-list").asString("")).isEqualTo("canary");
        apply("late", "all", "", "");
        ObjectNode system = (ObjectNode) Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"excluded\","
                + "\"labels\":{\"control-plane\":\"x\"}}}");
        client.objects().apply(system);
        createPod("excluded", "system", "all");

        String told = pillion.run("explain", "pod", "new", "-n", namespace).ok();

        assertThat(told).contains("Pod " + namespace + "/new: ")
                .containsPattern("labels +left out +selector-mismatch +spec.selector wants app=other; the Pod has app=all")
                .containsPattern("elsewhere +left out +namespace-mismatch +spec.namespaceSelector wants namespace elsewhere")
                .containsPattern("paused +left out +paused ").containsPattern("hidden +left out +hidden-by-canary +its canary canary ")
                .containsPattern("canary +injected +injected +revision canary-\\S+: canary-c")
                .containsPattern("late +left out +webhook-not-reached .*re-create the Pod")
                .containsPattern("Roll-out\\s+SIDECARSET +STATE +BECAUSE\\s+canary +updated").doesNotContain(SECRET);
        assertThat(pillion.run("explain", "pod", "old", "-n", namespace).ok())
                .containsPattern("hidden +left out +older-than-set +the Pod was created at ")
                .containsPattern("labels +left out +selector-mismatch")
                .doesNotContain("Roll-out");
        assertThat(pillion.run("explain", "pod", "system", "-n", "excluded").ok())
                .containsPattern(
                        "hidden +left out +namespace-excluded +namespaceSelector of pillion-mutating-webhook-configuration wants no label "
                                + "control-plane; the namespace has control-plane=x");
        assertThat(pillion.run("explain", "sidecarset", "hidden").ok()).contains("Pods that match and lack the sidecars")
                .containsPattern("hidden-by-canary +1 +canary canary takes its place\\s+" + namespace + "/new")
                .containsPattern("older-than-set +1 +they were created before.*\\s+" + namespace + "/old")
                .containsPattern("namespace-excluded +1 .*\\s+excluded/system");
        assertThat(pillion.run("explain", "sidecarset", "late").ok()).containsPattern("webhook-not-reached +1 ");
        awaitNextSecond("new");
        apply("fussy", "all", "", "", ",'resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'^db$',"
                + "'resourcesExpr':{'limits':{'cpu':'cpu*50%'}}}");
        assertThat(pillion.run("explain", "pod", "new", "-n", namespace).ok()).containsPattern("canary +injected +injected ")
                .containsPattern("late +refused +pod-refused +if it were created now: the Pod is refused because of SidecarSet fussy")
                .containsPattern("fussy +left out +older-than-set ");
        assertThat(pillion.run("explain", "pod", "nobody").err()).contains("no Pod nobody in namespace default");
        assertThat(pillion.run("explain", "set", "nobody").code()).isEqualTo(1);
    }

    @Test
    void tellsWhatARollOutWaitsFor() {
        apply("stuck", "web", "", "");
        for (int i = 0; i < 4; i++) {
            createPod(namespace, "p" + i, "web");
        }
        awaitStatus("stuck", s -> s.path("matchedPods").asInt() == 4 && s.path("updatedReadyPods").asInt() == 4);
        assertThat(pillion.run("explain", "sidecarset", "stuck").ok()).contains("SidecarSet stuck: complete, ").contains("maxUnavailable 1")
                .doesNotContain("not updated");

        ObjectNode set = client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", "stuck").orElseThrow();
        ((ObjectNode) set.at("/spec/containers/0")).put("image", "side:bad");
        client.objects().apply(set);
        awaitStatus("stuck", s -> s.path("updatedPods").asInt() == 1);

        String told = Eventually.until("the controller tells of it", PATIENCE, () -> pillion.run("explain", "sidecarset", "stuck").ok(),
                t -> t.contains("RolloutBlocked"));

        assertThat(told).contains("SidecarSet stuck: rolling, ", "4 pods, 1 updated")
                .containsPattern("max-unavailable +3 +as many updated pods")
                .contains("they wait for " + namespace + "/p").contains("Events");
        String updated = told.replaceAll("(?s).*they wait for " + namespace + "/(p\\d).*", "$1");
        assertThat(pillion.run("explain", "pod", updated, "-n", namespace).ok()).containsPattern("stuck +updated-not-ready +was updated");
        String waiting = updated.equals("p0") ? "p1" : "p0";
        assertThat(pillion.run("explain", "pod", waiting, "-n", namespace).ok())
                .containsPattern("stuck +max-unavailable .*It waits for " + namespace + "/" + updated);
        assertThat(pillion.run("status", "stuck").ok()).containsPattern("stuck +rolling +4 +1 +3").containsPattern("max-unavailable +3");

        set = client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", "stuck").orElseThrow();
        set.withObject("/spec/updateStrategy").put("paused", true);
        client.objects().apply(set);
        assertThat(pillion.run("explain", "pod", waiting, "-n", namespace).ok())
                .containsPattern("stuck +paused +updateStrategy.paused is true");
    }

    private void apply(String name, String app, String spec, String annotations) {
        apply(name, app, spec, annotations, "");
    }

    private void apply(String name, String app, String spec, String annotations, String container) {
        String object = """
                {'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet','metadata':{'name':'%s','annotations':{%s}},
                 'spec':{%s'selector':{'matchLabels':{'app':'%s'}},
                  'containers':[{'name':'%s-c','image':'side:1','env':[{'name':'TOKEN','value':'%s'}]%s}]}}"""
                .formatted(name, annotations, spec, app, name.equals("hidden") ? "canary" : name, SECRET, container).replace('\'', '"');
        ObjectNode applied = Eventually.until("the webhooks take the set", PATIENCE,
                () -> client.objects().apply((ObjectNode) Json.read(object)),
                s -> s.at("/metadata/annotations").has("kruise.io/sidecarset-hash"));
        String generation = applied.at("/metadata/generation").toString();
        awaitStatus(name, s -> s.path("observedGeneration").toString().equals(generation));
    }

    private void awaitStatus(String name, java.util.function.Predicate<JsonNode> good) {
        Eventually.until("the status of " + name, PATIENCE,
                () -> client.objects().get("apps.kruise.io/v1beta1", "SidecarSet", "", name).orElseThrow().path("status"), good);
    }

    private ObjectNode createPod(String where, String name, String app) {
        return client.objects().apply((ObjectNode) Json.read("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s","labels":{"app":"%s"}},
                 "spec":{"terminationGracePeriodSeconds":0,"containers":[{"name":"app","image":"app:1",
                  "env":[{"name":"TOKEN","value":"%s"}]}]}}""".formatted(name, where, app, SECRET)));
    }

    /** Creation times are whole seconds: what comes next is younger for everyone to see. */
    private void awaitNextSecond(String pod) {
        String created = Json.text(client.objects().get("v1", "Pod", namespace, pod).orElseThrow().path("metadata"), "creationTimestamp");
        Eventually.until("the next second", () -> java.time.Instant.now().isAfter(java.time.Instant.parse(created).plusSeconds(1)));
    }
}

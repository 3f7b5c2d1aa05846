package dev.pillion.app;

import static dev.pillion.app.PodApi.container;
import static dev.pillion.app.PodApi.containers;
import static dev.pillion.app.PodApi.json;
import static dev.pillion.app.PodApi.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Readiness gate and launch priority as a user has them: the webhook's step and the controller behind it (neighbours.md 1, 2). */
@OnEveryCluster
final class StartupIT {
    private static final String SETS = SetApi.path(SetApi.BETA);

    private final Cluster cluster;
    private final KubernetesClient users;
    private final RawHttp http;
    private final AutoCloseable simulators;
    private final String url = "https://127.0.0.1:" + FreePorts.next();
    private final String own;
    private AutoCloseable controller = () -> {
    };
    private String namespace = "";

    StartupIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.http = new RawHttp(users);
        this.own = cluster.newNamespace("own");
        this.simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(10, 20), Delay.of(50, 100), Delay.of(10, 20)));
    }

    @BeforeEach
    void makeNamespace() {
        Scenario.prepare(cluster);
        namespace = cluster.newNamespace("start");
    }

    @AfterEach
    void close() throws Exception {
        users.pods().inNamespace(namespace).withGracePeriod(0).delete();
        controller.close();
        simulators.close();
        users.close();
    }

    /** A second start takes the place of the first: same address, same namespace. */
    private void start(String... flags) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("--webhook-url=" + url, "--metrics.port=0", "--namespace=" + own));
        all.addAll(List.of(flags));
        controller = Main.startController(cluster.controllerKubeconfig(own), all);
        Eventually.until("the webhooks are asked",
                () -> http.post(SETS + "?dryRun=All", "{\"apiVersion\":\"apps.kruise.io/v1beta1\",\"kind\":\"SidecarSet\","
                        + "\"metadata\":{\"name\":\"probe\"},\"spec\":{}}"),
                a -> a.code() == 422);
    }

    /** A set for Pods with label app and its own name; answers it when the controller knows it. */
    private JsonNode set(String name, String spec) {
        ObjectNode set = json("{'apiVersion':'apps.kruise.io/v1beta1','kind':'SidecarSet','metadata':{'name':'" + name
                + "'},'spec':{'selector':{'matchLabels':{'app':'" + name + "'}}}}");
        set.withObject("/spec").setAll(json(spec));
        assertThat(http.post(SETS, set.toString()).code()).isEqualTo(201);
        return Eventually.until("the controller knows the set", () -> http.get(SETS + "/" + name).body(),
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation")) && s.at("/status/latestRevision").isString());
    }

    private RawHttp.Answer submit(ObjectNode pod) {
        return http.post(PodApi.pods(namespace), pod.toString());
    }

    private JsonNode await(String pod, String what, Predicate<JsonNode> good) {
        return Eventually.until(pod + ": " + what, () -> http.get(PodApi.pods(namespace) + "/" + pod).body(), good);
    }

    private static String condition(JsonNode pod, String type) {
        return pod.at("/status/conditions").valueStream().filter(c -> Json.text(c, "type").equals(type)).map(c -> Json.text(c, "status"))
                .findFirst().orElse("absent");
    }

    private static boolean isReady(JsonNode pod) {
        return condition(pod, "Ready").equals("True");
    }

    private static boolean isCompleted(JsonNode pod) {
        return pod.at("/metadata/annotations").path("apps.kruise.io/container-launch-priority-completed").asString("").equals("true");
    }

    private static String key(JsonNode pod, String name) {
        JsonNode env = container(pod, name).path("env");
        return Json.text(env.path(env.size() - 1).at("/valueFrom/configMapKeyRef"), "key");
    }

    private static boolean waits(JsonNode pod, String container, String reason) {
        return pod.at("/status/containerStatuses").valueStream().anyMatch(
                s -> Json.text(s, "name").equals(container) && Json.text(s.at("/state/waiting"), "reason").equals(reason));
    }

    private static ObjectNode owned(ObjectNode pod, JsonNode owner, boolean controls) {
        pod.withObject("/metadata").putArray("ownerReferences").addObject().put("apiVersion", "apps.kruise.io/v1beta1")
                .put("kind", "SidecarSet").put("name", Json.text(owner.path("metadata"), "name"))
                .put("uid", Json.text(owner.path("metadata"), "uid")).put("controller", controls);
        return pod;
    }

    @Test
    void podsOfOurGroupGetAGateThatOpens() throws Exception {
        start();
        JsonNode owner = set("owner", "{'containers':[{'name':'log','image':'log:1'}]}");
        ObjectNode pod = PodApi.created(submit(owned(manifest("owner", "{}"), owner, true)));
        ObjectNode other = PodApi.created(submit(owned(manifest("other", "{}"), owner, false)));

        assertThat(pod.at("/spec/readinessGates").toString()).isEqualTo("[{\"conditionType\":\"KruisePodReady\"}]");
        assertThat(other.at("/spec").has("readinessGates")).isFalse();
        JsonNode ready = await(Json.text(pod.path("metadata"), "name"), "it is ready", StartupIT::isReady);
        assertThat(condition(ready, "KruisePodReady")).isEqualTo("True");
        assertThat(condition(await(Json.text(other.path("metadata"), "name"), "it is ready", StartupIT::isReady), "KruisePodReady"))
                .isEqualTo("absent");
    }

    /** Annotation and sidecar, a generated name, a controller that restarts in the middle. */
    @Test
    void containersStartInTheirOrderAlsoAcrossARestart() throws Exception {
        start();
        set("launch", "{'containers':[{'name':'proxy','image':'proxy:1','podInjectPolicy':'BeforeAppContainer'}]}");
        ObjectNode manifest = manifest("launch",
                "{'containers':[{'name':'app','image':'app:never-ready'},{'name':'worker','image':'worker:1'}]}");
        manifest.withObject("/metadata").putObject("annotations").put("apps.kruise.io/container-launch-priority", "Ordered");
        ObjectNode pod = PodApi.created(submit(manifest));
        String name = Json.text(pod.path("metadata"), "name");
        assertThat(containers(pod)).containsExactly("proxy", "app", "worker");
        assertThat(List.of(key(pod, "proxy"), key(pod, "app"), key(pod, "worker"))).containsExactly("p_0", "p_-1", "p_-2");

        await(name, "the second container is tried, the third held", p -> waits(p, "app", "ImagePullBackOff")
                && waits(p, "worker", "CreateContainerConfigError"));
        controller.close();
        http.merge(PodApi.pods(namespace) + "/" + name,
                "{\"spec\":{\"containers\":" + withImage(pod.at("/spec/containers"), "app", "app:1") + "}}");
        await(name, "nobody releases the third",
                p -> !waits(p, "app", "ImagePullBackOff") && waits(p, "worker", "CreateContainerConfigError"));
        start();

        await(name, "it is ready and completed", p -> isReady(p) && isCompleted(p));
        JsonNode map = http.get("/api/v1/namespaces/" + namespace + "/configmaps/" + name + "-barrier").body();
        assertThat(map.path("data")).isEqualTo(json("{'p_0':'true','p_-1':'true','p_-2':'true'}"));
        assertThat(map.at("/metadata/ownerReferences/0/uid")).isEqualTo(pod.at("/metadata/uid"));
    }

    private static JsonNode withImage(JsonNode containers, String name, String image) {
        JsonNode copy = containers.deepCopy();
        copy.valueStream().filter(c -> Json.text(c, "name").equals(name)).forEach(c -> ((ObjectNode) c).put("image", image));
        return copy;
    }

    /** A dump of a running Pod, created under another name: exactly one barrier for each container, its own (trap 4). */
    @Test
    void aDumpOfAnotherPodStartsByItsOwnBarriers() throws Exception {
        start();
        String spec = "{'containers':[{'name':'app','image':'app:1','env':[{'name':'KRUISE_CONTAINER_PRIORITY','value':'1'}]},"
                + "{'name':'log','image':'log:1'}]}";
        ObjectNode first = PodApi.created(submit(manifest("dump", spec)));
        JsonNode dump = await(Json.text(first.path("metadata"), "name"), "it is completed", p -> isReady(p) && isCompleted(p));
        ObjectNode second = manifest("copy", "{}");
        second.withObject("/spec").set("containers", dump.at("/spec/containers").deepCopy());

        ObjectNode copy = PodApi.created(submit(second));

        String name = Json.text(copy.path("metadata"), "name");
        assertThat(PodApi.env(copy, "app")).containsExactly("KRUISE_CONTAINER_PRIORITY", "KRUISE_CONTAINER_BARRIER");
        assertThat(copy.toString()).contains(name + "-barrier").doesNotContain(Json.text(first.path("metadata"), "name") + "-barrier");
        await(name, "it is ready and completed", p -> isReady(p) && isCompleted(p));
    }

    @Test
    void anUnknownOrderIsWarnedOfAndABadNumberRefused() throws Exception {
        start();
        ObjectNode odd = manifest("odd", "{'containers':[{'name':'a','image':'a:1'},{'name':'b','image':'b:1'}]}");
        odd.withObject("/metadata").putObject("annotations").put("apps.kruise.io/container-launch-priority", "ordered");
        RawHttp.Answer warned = submit(odd);
        RawHttp.Answer refused = submit(manifest("bad", "{'containers':[{'name':'a','image':'a:1'},"
                + "{'name':'b','image':'b:1','env':[{'name':'KRUISE_CONTAINER_PRIORITY','value':'5.0'}]}]}"));

        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.warnings()).anyMatch(w -> w.contains("ordered") && w.contains("no effect"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("container b", "KRUISE_CONTAINER_PRIORITY", "5.0");
    }

    @Test
    void switchedOffNothingIsAdded() throws Exception {
        start("--injection.readiness-gate=off", "--injection.launch-priority=false");
        JsonNode owner = set("off", "{'containers':[{'name':'log','image':'log:1'}]}");
        ObjectNode manifest = owned(manifest("off", "{}"), owner, true);
        manifest.withObject("/metadata").putObject("annotations").put("apps.kruise.io/container-launch-priority", "Ordered");

        ObjectNode pod = PodApi.created(submit(manifest));

        assertThat(containers(pod)).containsExactlyInAnyOrder("app", "log");
        assertThat(pod.at("/spec").has("readinessGates")).isFalse();
        assertThat(pod.toString()).doesNotContain("KRUISE_CONTAINER_BARRIER");
        await(Json.text(pod.path("metadata"), "name"), "it is ready without either", StartupIT::isReady);
    }
}

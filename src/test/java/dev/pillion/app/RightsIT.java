package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.Kubectl;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.it.RawHttp;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.JsonNode;

/**
 * The shipped RBAC is what the controller needs, no more and no less. The life of a set with all that writes something: creation with
 * conversion, injection, upgrades, a roll back, a shortened history, pod metadata, waiting pods, deletion.
 */
@OnEveryCluster
final class RightsIT {
    private static final String API = "/apis/apps.kruise.io/v1beta1/sidecarsets";
    private static final String SET = """
            {"apiVersion":"apps.kruise.io/%s","kind":"SidecarSet","metadata":{"name":"rights"},
             "spec":{"selector":{"matchLabels":{"app":"rights"}},"revisionHistoryLimit":2,"customVersion":"%s",
              "updateStrategy":{"type":"RollingUpdate","maxUnavailable":2},
              "patchPodMetadata":[{"annotations":{"team":"%s"},"patchPolicy":"Overwrite"}],
              "containers":[{"name":"log","image":"registry.example/log:%s"}]}}""";
    private static final String POD = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","labels":{"app":"rights"}},
             "spec":{"automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
              "containers":[{"name":"app","image":"registry.example/app:1"}]}}""";
    /** Its containers start one after the other, and a barrier of an earlier pod of this name is still there. */
    private static final String ORDERED = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"ordered","annotations":{"apps.kruise.io/container-launch-priority":"Ordered"}},
             "spec":{"automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
              "containers":[{"name":"first","image":"registry.example/app:1"},{"name":"second","image":"registry.example/app:1"}]}}""";
    private static final String BARRIER = """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"ordered-barrier","ownerReferences":[
             {"apiVersion":"v1","kind":"Pod","name":"ordered","uid":"11111111-2222-3333-4444-555555555555"}]},"data":{"p_0":"true"}}""";
    private static final int PODS = 4;
    private static final Set<String> READS = Set.of("get", "list", "watch");

    /** Rights that a quiet run may do without, each with the moment that needs it. */
    private static final Map<String, String> AT_TIMES = Map.of(
            "ClusterRole pillion: get pods", "a conflict, or an own write that stays unseen",
            "ClusterRole pillion: get namespaces", "a pod in a namespace that no watch has shown yet",
            "ClusterRole pillion: get sidecarsets", "a conflict, or a set that no watch has shown yet",
            "Role pillion: get controllerrevisions", "a conflict, or a pinned revision that no watch has shown yet",
            "ClusterRole pillion: patch events", "an event that repeats",
            "ClusterRole pillion-launch-priority: delete configmaps", "a barrier of an earlier pod, unless it is collected first",
            "Role pillion-certificates: patch secrets", "a certificate that is renewed",
            "ClusterRole pillion: patch pods/status", "pods that cannot be upgraded in place",
            "ClusterRole pillion: update sidecarsets/finalizers", "asked of the authorizer, never sent");

    private final Cluster cluster;
    private final KubernetesClient users;
    private final RawHttp http;
    private final String namespace;
    private final AutoCloseable simulators;
    private final Rights inside = Rights.of(Install.base().objects().stream());
    private final Rights outside = Rights.of(Stream.concat(Install.base().objects().stream(),
            Install.resources(Install.FOLDER.resolve("components").resolve("outside")).stream()));
    private int begin;

    RightsIT(Cluster cluster) {
        this.cluster = cluster;
        this.users = cluster.client();
        this.http = new RawHttp(users);
        this.namespace = cluster.newNamespace("rights");
        this.simulators = Simulators.start(Optional.of(cluster.kubeconfig()),
                SimOptions.defaults().withDelays(Delay.of(10, 50), Delay.of(50, 100), Delay.of(10, 50)));
    }

    @BeforeEach
    void look() {
        assumeTrue(Kubectl.present(), "kubectl is not on the PATH");
        begin = cluster.controllerRequests().size();
    }

    @AfterEach
    void close() throws Exception {
        // Back from URL to Service: an apply would leave both, which the server refuses (operations.md).
        cluster.kubectl().run("delete", "--ignore-not-found", "-f", Install.CONTROLLER.resolve("webhooks.yaml").toString()).ok();
        // What the next controller shall make anew.
        cluster.kubectl().run("-n", Install.NAMESPACE, "delete", "secrets,leases", "--all").ok();
        cluster.kubectl().run("replace", "-f", Install.CRD.toString()).ok();
        simulators.close();
        users.close();
    }

    @Test
    void outsideTheCluster() throws Exception {
        Scenario.prepare(cluster);
        try (AutoCloseable _ = Main.startController(cluster.controllerKubeconfig(Install.NAMESPACE),
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=0"))) {
            lifeOfASet();
        }
        assertExact(outside, Set.of("ClusterRole pillion-certificates: patch mutatingwebhookconfigurations",
                "ClusterRole pillion-certificates: patch validatingwebhookconfigurations"));
    }

    @Test
    void throughItsService() throws Exception {
        Scenario.prepare(cluster);
        int port = FreePorts.next();
        ServicePlace.objects(port).forEach(this::apply);
        try (AutoCloseable _ = Main.startController(cluster.controllerKubeconfig(Install.NAMESPACE),
                List.of("--admission.port=" + port, "--metrics.port=0"))) {
            lifeOfASet();
        }
        assertExact(inside, Set.of());
    }

    private void apply(JsonNode object) {
        cluster.kubectl().with(Json.write(object), "apply", "--server-side", "--force-conflicts", "-f", "-").ok();
    }

    private void lifeOfASet() {
        allow("team");
        Eventually.until("the webhooks take a set, also in the old version",
                () -> http.post("/apis/apps.kruise.io/v1alpha1/sidecarsets", SET.formatted("v1alpha1", "one", "a", "1")).code() == 201);
        settled();
        for (int i = 0; i < PODS; i++) {
            assertThat(http.post("/api/v1/namespaces/" + namespace + "/pods", POD.formatted(i)).body().at("/spec/containers")).hasSize(2);
        }
        for (String version : List.of("2", "3", "4", "3")) {
            change("[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"registry.example/log:" + version + "\"},"
                    + "{\"op\":\"add\",\"path\":\"/spec/customVersion\",\"value\":\"v" + version + "\"}]");
            Eventually.until("all pods run log:" + version, this::set, s -> s.at("/status/updatedReadyPods").intValue(0) == PODS);
        }
        // An env cannot be changed in place: the pods are marked and told about.
        change("[{\"op\":\"add\",\"path\":\"/spec/containers/0/env\",\"value\":[{\"name\":\"A\",\"value\":\"1\"}]}]");
        Eventually.until("an event tells that pods wait", () -> events().size(), n -> n > 0);
        startInOrder();
        users.pods().inNamespace(namespace).delete();
        http.delete(API + "/rights");
        Eventually.until("the set is gone", () -> http.get(API + "/rights").code() == 404);
    }

    private void startInOrder() {
        String core = "/api/v1/namespaces/" + namespace;
        assertThat(http.post(core + "/configmaps", BARRIER).code()).isEqualTo(201);
        assertThat(http.post(core + "/pods", ORDERED).code()).isEqualTo(201);
        Eventually.until("the barriers are down", () -> http.get(core + "/pods/ordered").body(),
                p -> p.at("/metadata/annotations/apps.kruise.io~1container-launch-priority-completed").isString());
    }

    private List<JsonNode> events() {
        return http.get("/apis/events.k8s.io/v1/namespaces/default/events").body().path("items").valueStream()
                .filter(e -> e.at("/regarding/name").stringValue("").equals("rights")).toList();
    }

    private void allow(String key) {
        apply(Json.read("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"kruise-configuration\",\"namespace\":\""
                + Install.NAMESPACE + "\"},\"data\":{\"SidecarSet_PatchPodMetadata_WhiteList\":"
                + "\"{\\\"rules\\\":[{\\\"allowedAnnotationKeyExprs\\\":[\\\"^" + key + "$\\\"]}]}\"}}"));
    }

    private void change(String patch) {
        users.genericKubernetesResources("apps.kruise.io/v1beta1", "SidecarSet").withName("rights").patch(PatchContext.of(PatchType.JSON),
                patch);
        settled();
    }

    private JsonNode set() {
        return http.get(API + "/rights").body();
    }

    private void settled() {
        Eventually.until("the controller knows the set as it is", this::set,
                s -> s.at("/status/observedGeneration").equals(s.at("/metadata/generation")) && s.at("/metadata/generation").isNumber());
    }

    /**
     * Every request is allowed, and every right is used but those that only other moments need; of reads only the real server's log
     * tells.
     */
    private void assertExact(Rights rights, Set<String> otherwise) {
        List<JsonNode> all = cluster.controllerRequests();
        List<JsonNode> requests = all.subList(begin, all.size()).stream().filter(e -> e.at("/objectRef/resource").isString()).toList();
        assertThat(requests.stream().filter(e -> rights.allowing(e, Install.NAMESPACE).isEmpty())
                .map(e -> Json.text(e, "verb") + " " + Json.text(e, "requestURI"))).as("requests that nothing allows").isEmpty();
        Set<String> used = requests.stream().flatMap(e -> rights.allowing(e, Install.NAMESPACE).stream()).map(Rights.Grant::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(used).hasSizeGreaterThan(5);
        boolean readsAreLogged = requests.stream().anyMatch(e -> Json.text(e, "verb").equals("watch"));
        Set<String> idle = rights.grants().stream().filter(g -> readsAreLogged || !READS.contains(g.verb())).map(Rights.Grant::toString)
                .filter(g -> !used.contains(g) && !AT_TIMES.containsKey(g) && !otherwise.contains(g))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(idle).as("rights that nothing uses").isEmpty();
    }
}

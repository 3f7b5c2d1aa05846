package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import dev.pillion.api.Json;
import dev.pillion.conformance.Vectors;
import dev.pillion.demo.AuditLog;
import dev.pillion.demo.AuditLog.Write;
import dev.pillion.it.Cluster;
import dev.pillion.it.Eventually;
import dev.pillion.it.OnEveryCluster;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster as OpenKruise leaves it is taken over (FR-50): sets with the revisions that were recorded from it, byte for byte; Pods with its
 * annotations in the present and the early form. Judged by resource versions and the audit log.
 */
@OnEveryCluster
final class TakeOverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String BETA = "apps.kruise.io/v1beta1";
    private static final String OWN = "kruise-system";
    private static final int SETS = 12;
    private static final String PRESENT = "\\{\"%s\":\\{\"updateTimestamp\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\",\"hash\":\"[a-z0-9]{64}\","
            + "\"sidecarSetName\":\"%s\",\"sidecarList\":(\\[\"log-agent\"]|null)(,\"controllerRevision\":\"%s-[a-z0-9]+\")?}}";

    /** Measured on the reference (api.md 4.3, 8): a set as its webhook stores it, with real hashes, and the revision of it. */
    private static final String CONTAINERS = """
            [{"command":["sh","-c","sleep 1d && echo <done>"],"image":"busybox:1.36","imagePullPolicy":"IfNotPresent","name":"log-agent",
              "podInjectPolicy":"BeforeAppContainer","resources":{},"shareVolumePolicy":{"type":"disabled"},
              "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","upgradeStrategy":{"upgradeType":"ColdUpgrade"}}]""";
    private static final String MEASURED_SET = """
            {"apiVersion":"apps.kruise.io/v1beta1","kind":"SidecarSet","metadata":{"annotations":{
               "kruise.io/sidecarset-hash":"4ff96v4xzfw224587w88xdcb69zdz2w6d884w64v44z5z45vwd5d7vwf529dfv55",
               "kruise.io/sidecarset-hash-without-image":"c6758c2f4wwd44www58vz6c929bzx99w62fxx597c259c65vv496zc7974c9cw8x"}},
             "spec":{"containers":%s,"injectionStrategy":{},"revisionHistoryLimit":10}}""".formatted(CONTAINERS);
    private static final String MEASURED_REVISION = Json
            .write(Json.object()
                    .put("data",
                            """
                                    {"spec":{"$patch":"replace","containers":%s,"imagePullSecrets":null,"initContainers":null,"patchPodMetadata":null,"volumes":null}}"""
                                    .formatted(CONTAINERS))
                    .set("labels", Json.object().put("controller.kubernetes.io/hash", "6c67c8c9bc")));

    private final Cluster cluster;
    private final KubeClient client;
    private final KubernetesClient admin;
    private final String namespace;
    private final int metrics = FreePorts.next();
    private final List<String> sets = new ArrayList<>();

    TakeOverIT(Cluster cluster) {
        this.cluster = cluster;
        this.client = KubeClient.connect(Optional.of(cluster.kubeconfig()), KubeOptions.defaults(OWN, "test"));
        this.admin = cluster.client();
        this.namespace = cluster.newNamespace("taken");
    }

    @AfterEach
    void close() {
        client.close();
        admin.close();
    }

    @Test
    void changesNoPodAndWritesEachStatusAtMostOnceAndGoesBack() throws Exception {
        Scenario.prepare(cluster);
        leaveByReference();
        Map<String, String> before = versions();
        int audited = cluster.auditLines().size();

        AutoCloseable controller = start();
        String inPlace;
        try (controller) {
            Eventually.until("all sets have been looked at", PATIENCE, () -> metric("controller_runtime_reconcile_total"), n -> n >= SETS);
            Eventually.until("nothing is left to do", PATIENCE, () -> metric("workqueue_depth"), n -> n == 0);
            Eventually.until("the stale statuses are corrected", PATIENCE, () -> sets.stream().map(this::status).toList(),
                    all -> all.stream().allMatch(s -> s.path("matchedPods").asInt() == 3));
            assertThat(versions()).isEqualTo(before);
            assertUntouched(audited);
            assertThat(new ClusterCommands(cluster).run("check").out()).contains("info hash-old-form: Pod ").doesNotContain("set-gone")
                    .doesNotContain("hash-unreadable").doesNotContain("revision-missing");
            inPlace = rollOne();
        }

        // What the reference reads when it is started again.
        int afterwards = cluster.auditLines().size();
        for (String pod : List.of(inPlace + "-new", inPlace + "-old")) {
            JsonNode annotations = client.reads().pod(namespace, pod).orElseThrow().at("/metadata/annotations");
            String form = PRESENT.formatted(inPlace, inPlace, inPlace);
            assertThat(annotations.path("kruise.io/sidecarset-hash").asString("")).matches(form).contains("controllerRevision");
            // Compatible: an update leaves out the list where the early form had none (rollout.md 9.3).
            assertThat(annotations.path("kruise.io/sidecarset-hash-without-image").asString("")).matches(form)
                    .doesNotContain("controllerRevision");
            assertThat(annotations.path("kruise.io/sidecarset-injected-list").asString("")).isEqualTo(inPlace);
        }
        Map<String, String> others = new TreeMap<>(before);
        others.keySet().removeIf(k -> k.contains("/" + inPlace + "-"));
        assertThat(versions()).containsAllEntriesOf(others);

        // And back once more: the second start finds its own work and that of the reference, and leaves both.
        try (AutoCloseable _ = start()) {
            Eventually.until("all sets have been looked at", PATIENCE, () -> metric("controller_runtime_reconcile_total"), n -> n >= SETS);
            Eventually.until("nothing is left to do", PATIENCE, () -> metric("workqueue_depth"), n -> n == 0);
            assertUntouched(afterwards);
        }
    }

    private AutoCloseable start() throws InterruptedException {
        return Main.startController(cluster.controllerKubeconfig(OWN),
                List.of("--webhook-url=https://127.0.0.1:" + FreePorts.next(), "--metrics.port=" + metrics));
    }

    private void assertUntouched(int audited) {
        List<Write> writes = AuditLog.writes(cluster.auditLines().stream().skip(audited).map(JsonNode::toString));
        assertThat(writes).filteredOn(w -> w.isOn("pods") || w.isOn("controllerrevisions")).isEmpty();
        assertThat(writes).filteredOn(w -> w.isOn("sidecarsets") && !w.subresource().equals("status")).isEmpty();
        Map<String, Long> statuses = writes.stream().filter(w -> w.isOn("sidecarsets"))
                .collect(Collectors.groupingBy(Write::name, Collectors.counting()));
        assertThat(statuses.values()).allMatch(n -> n == 1);
    }

    /** A user's change afterwards: a new image reaches a Pod of the present and one of the early form. */
    private String rollOne() {
        String name = sets.getFirst();
        ObjectNode set = client.objects().get(BETA, "SidecarSet", "", name).orElseThrow();
        set.withObject("/spec/updateStrategy").put("type", "RollingUpdate").put("paused", false).put("maxUnavailable", "100%");
        ((ObjectNode) set.at("/spec/containers/0")).put("image", "registry.example/changed:2");
        Eventually.until("the set is taken", PATIENCE, () -> client.objects().apply(set), s -> true);
        Eventually.until("the pods have the new image", PATIENCE, () -> List.of(name + "-new", name + "-old").stream()
                .map(p -> client.reads().pod(namespace, p).orElseThrow().path("spec").toString()).toList(),
                specs -> specs.stream().allMatch(s -> s.contains("registry.example/changed:2")));
        return name;
    }

    /** The sets of the recorded revision cases, each with its first revision, two Pods up to date and one at an earlier version. */
    private void leaveByReference() {
        Map<String, Vectors.Case> cases = new LinkedHashMap<>();
        for (Vectors.Case recorded : Vectors.of("revision")) {
            JsonNode set = recorded.input().at("/steps/0/sidecarSet");
            JsonNode revisions = recorded.expect().at("/steps/0/revisions");
            boolean cold = set.at("/spec/containers").valueStream().noneMatch(c -> c.toString().contains("HotUpgrade"));
            String name = Json.text(set.path("metadata"), "name");
            boolean plain = name.matches("[a-z0-9-]{1,40}") && revisions.size() == 1 && cold && set.at("/spec/containers").size() > 0
                    && recorded.expect().at("/steps/0/collisionCount").asInt(0) == 0;
            if (plain && cases.size() < SETS && !cases.containsKey(name)) {
                cases.put(name, recorded);
            }
        }
        assertThat(cases).hasSizeGreaterThanOrEqualTo(3);
        List<Vectors.Case> chosen = List.copyOf(cases.values());
        leave("one", (ObjectNode) Json.read(MEASURED_SET), (ObjectNode) Json.read(MEASURED_REVISION), 0);
        for (int i = 1; i < SETS; i++) {
            Vectors.Case recorded = chosen.get(i % chosen.size());
            leave("ref-" + i, ((ObjectNode) recorded.input().at("/steps/0/sidecarSet")).deepCopy(),
                    (ObjectNode) recorded.expect().at("/steps/0/revisions/0"), i);
        }
    }

    private void leave(String name, ObjectNode set, ObjectNode revision, int number) {
        ObjectNode metadata = Json.object().put("name", name);
        metadata.set("annotations", set.at("/metadata/annotations"));
        set.set("metadata", metadata);
        set.remove("status");
        ObjectNode spec = (ObjectNode) set.path("spec");
        spec.remove(List.of("namespaceSelector", "namespace", "injectionStrategy"));
        spec.putObject("selector").putObject("matchLabels").put("app", name);
        spec.putObject("updateStrategy").put("type", number % 2 == 0 ? "RollingUpdate" : "NotUpdate").put("paused", number % 2 == 0);
        ObjectNode stored = client.objects().apply(set);
        sets.add(name);

        String hash = Json.text(revision.at("/labels"), "controller.kubernetes.io/hash");
        ObjectNode object = Json.object().put("apiVersion", "apps/v1").put("kind", "ControllerRevision").put("revision", 1);
        ObjectNode meta = object.putObject("metadata").put("name", name + "-" + hash).put("namespace", OWN);
        meta.putObject("labels").put("controller.kubernetes.io/hash", hash).put("kruise.io/sidecarset-name", name);
        String version = Json.text(spec, "customVersion");
        if (!version.isEmpty()) {
            ((ObjectNode) meta.path("labels")).put("apps.kruise.io/sidecarset-custom-version", version);
        }
        meta.set("annotations", set.at("/metadata/annotations"));
        meta.putArray("ownerReferences").addObject().put("apiVersion", BETA).put("kind", "SidecarSet").put("name", name)
                .put("uid", Json.text(stored.path("metadata"), "uid")).put("controller", true).put("blockOwnerDeletion", true);
        object.set("data", Json.read(Json.text(revision, "data")));
        client.objects().apply(object);

        pods(name, set, name + "-" + hash);
        // Every third one was left by a manager that ended before it had written the last status.
        int matched = number % 3 == 0 ? 2 : 3;
        ObjectNode status = Json.object().put("observedGeneration", 1).put("matchedPods", matched).put("updatedPods", 2)
                .put("readyPods", matched)
                .put("updatedReadyPods", 2).put("latestRevision", name + "-" + hash).put("collisionCount", 0);
        admin.genericKubernetesResources(BETA, "SidecarSet").withName(name).subresource("status").patch(
                PatchContext.of(PatchType.JSON_MERGE),
                Json.write(Json.object().set("status", status)));
    }

    private void pods(String name, ObjectNode set, String revision) {
        String hash = set.at("/metadata/annotations").path("kruise.io/sidecarset-hash").asString("");
        String imageless = set.at("/metadata/annotations").path("kruise.io/sidecarset-hash-without-image").asString("");
        List<String> names = set.at("/spec/containers").valueStream().map(c -> Json.text(c, "name")).sorted().toList();
        String list = names.stream().map(n -> "\"" + n + "\"").collect(Collectors.joining(",", "[", "]"));
        String entry = "{\"%s\":{\"updateTimestamp\":\"2026-01-01T00:00:00Z\",\"hash\":\"%s\",\"sidecarSetName\":\"%s\",\"sidecarList\":"
                + list + "%s}}";
        String tail = ",\"controllerRevision\":\"" + revision + "\"";
        pod(name, name + "-new", set, entry.formatted(name, hash, name, tail), entry.formatted(name, imageless, name, ""));
        pod(name, name + "-old", set, "{\"" + name + "\":\"" + hash + "\"}", "{\"" + name + "\":\"" + imageless + "\"}");
        pod(name, name + "-behind", set, entry.formatted(name, "b".repeat(64), name, ",\"controllerRevision\":\"" + name + "-gone\""),
                entry.formatted(name, "c".repeat(64), name, ""));
    }

    private void pod(String app, String name, ObjectNode set, String hashes, String imageless) {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("name", name).put("namespace", namespace);
        metadata.putObject("labels").put("app", app);
        metadata.putObject("annotations").put("kruise.io/sidecarset-injected-list", app).put("kruise.io/sidecarset-hash", hashes)
                .put("kruise.io/sidecarset-hash-without-image", imageless);
        ArrayNode containers = pod.putObject("spec").put("automountServiceAccountToken", false).put("terminationGracePeriodSeconds", 0)
                .putArray("containers");
        containers.addObject().put("name", "app").put("image", "registry.example/app:1");
        ArrayNode statuses = Json.NODES.arrayNode();
        for (JsonNode container : set.at("/spec/containers")) {
            containers.addObject().put("name", Json.text(container, "name")).put("image", Json.text(container, "image")).putArray("env")
                    .addObject()
                    .put("name", "IS_INJECTED").put("value", "true");
        }
        containers.forEach(c -> statuses.addObject().put("name", Json.text(c, "name")).put("image", Json.text(c, "image"))
                .put("imageID", "sha256:" + Json.text(c, "name")).put("ready", true).put("restartCount", 0));
        client.objects().apply(pod);
        ObjectNode status = Json.object().put("phase", "Running");
        status.putArray("conditions").addObject().put("type", "Ready").put("status", "True").put("lastTransitionTime",
                "2026-01-01T00:00:00Z");
        status.set("containerStatuses", statuses);
        admin.pods().inNamespace(namespace).withName(name).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE),
                Json.write(Json.object().set("status", status)));
    }

    private JsonNode status(String set) {
        return client.objects().get(BETA, "SidecarSet", "", set).orElseThrow().path("status");
    }

    /** resourceVersions of all Pods and revisions: equal ones mean that nothing was written. */
    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        client.objects().list("v1", "Pod", namespace).forEach(p -> put(versions, "Pod", p));
        client.objects().list("apps/v1", "ControllerRevision", OWN).forEach(r -> put(versions, "ControllerRevision", r));
        return versions;
    }

    private static void put(Map<String, String> versions, String kind, ObjectNode object) {
        versions.put(kind + "/" + Json.text(object.path("metadata"), "name"), Json.text(object.path("metadata"), "resourceVersion"));
    }

    /** The sum of all series of a metric. */
    private double metric(String name) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String body = http
                    .send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics + "/metrics")).build(), BodyHandlers.ofString())
                    .body();
            return body.lines().filter(l -> l.startsWith(name + "{") || l.startsWith(name + " "))
                    .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1))).sum();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }
}

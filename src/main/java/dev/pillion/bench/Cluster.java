package dev.pillion.bench;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.cli.Manifests;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeOptions;
import dev.pillion.kube.Objects;

import tools.jackson.databind.node.ObjectNode;

/** The server under measurement as the bench's own user sees it: prepares it and reads and writes single objects. */
final class Cluster implements AutoCloseable {
    /** Pods here are not sent to the webhook (injection.md 1.1), so they can be made with their sidecars in one request. */
    static final String NAMESPACE = "bench";
    private static final String OWN_NAMESPACE = "kruise-system";
    private static final String CRD = "/k8s/crd/apps.kruise.io_sidecarsets.yaml";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final KubeClient client;
    private final Objects objects;
    private final AtomicInteger marks = new AtomicInteger();

    private Cluster(KubeClient client) {
        this.client = client;
        this.objects = client.objects();
    }

    /** Connects, and creates the definition of SidecarSets and the namespaces. */
    static Cluster prepare(TargetServer server) {
        // The bench itself must not fail on a busy machine; the controller has its own limits.
        KubeOptions options = new KubeOptions(OWN_NAMESPACE, "bench", DEADLINE, DEADLINE, DEADLINE);
        Cluster cluster = new Cluster(KubeClient.connect(Optional.of(server.kubeconfig(TargetServer.BENCH)), options));
        definition().forEach(cluster.objects::apply);
        cluster.objects.apply(namespace(OWN_NAMESPACE));
        ObjectNode pods = namespace(NAMESPACE);
        pods.withObject("/metadata").putObject("labels").put("control-plane", "bench");
        cluster.objects.apply(pods);
        Waiting.until("SidecarSets are served", DEADLINE, () -> cluster.objects.list(Wire.V1BETA1, Wire.KIND, "").isEmpty());
        return cluster;
    }

    private static List<ObjectNode> definition() {
        try (InputStream in = Cluster.class.getResourceAsStream(CRD)) {
            if (in == null) {
                throw new IllegalStateException(CRD + " is missing from the program: build it anew with mvn package");
            }
            return Manifests.read(in, CRD);
        } catch (IOException e) {
            throw new IllegalStateException(CRD + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static ObjectNode namespace(String name) {
        ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", name);
        return namespace;
    }

    KubeClient client() {
        return client;
    }

    ObjectNode apply(ObjectNode object) {
        return objects.apply(object);
    }

    SidecarSet set(String name) {
        return objects.get(Wire.V1BETA1, Wire.KIND, "", name).map(SidecarSet::of)
                .orElseThrow(() -> new IllegalStateException("SidecarSet " + name + " is gone"));
    }

    /** Waits until the controller's status speaks of the set's present generation, and returns the set. */
    SidecarSet awaitObserved(String name) {
        Waiting.until("the controller has looked at SidecarSet " + name, DEADLINE, () -> isObserved(set(name)));
        return set(name);
    }

    static boolean isObserved(SidecarSet set) {
        return set.status().observedGeneration() == set.generation();
    }

    /** Makes a write that the audit log can be awaited by, and returns its name. */
    String mark() {
        String name = "mark-" + marks.incrementAndGet();
        ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        map.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
        objects.apply(map);
        return name;
    }

    @Override
    public void close() {
        client.close();
    }
}

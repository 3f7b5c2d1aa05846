package dev.pillion.kube;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/**
 * The one connection to the API server: a single fabric8 client with its own threads (stack.md: sharing our Vert.x deadlocks), which never
 * retries by itself, since retries are counted and limited in the work queue.
 * Close it last, after everything that was made from it.
 */
public final class KubeClient implements AutoCloseable {
    private final ClientTransport transport;
    private final KubernetesClient client;
    private final KubeOptions options;
    private final RawApi api;

    private KubeClient(ClientTransport transport, Config config, KubeOptions options) {
        this.transport = transport;
        this.client = new KubernetesClientBuilder().withConfig(config).withHttpClientFactory(transport).build();
        this.options = options;
        this.api = new RawApi(client, options.requestTimeout());
    }

    /**
     * Reads the kubeconfig, or without one what a Pod finds in its service account; sends nothing yet.
     *
     * @throws IllegalArgumentException when the file cannot be read
     */
    public static KubeClient connect(Optional<Path> kubeconfig, KubeOptions options) {
        Config config = kubeconfig.isPresent() ? fromFile(kubeconfig.get()) : Config.autoConfigure(null);
        int millis = Math.toIntExact(options.requestTimeout().toMillis());
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(millis);
        config.setConnectionTimeout(millis);
        config.setOnlyHttpWatches(true);
        config.setUserAgent(userAgent(options.instance()));
        return new KubeClient(ClientTransport.create(), config, options);
    }

    /**
     * The comment tells replicas apart in audit logs. What stands before the slash is the field manager: one for all replicas, or each Pod
     * would get a record of managed fields for every replica that ever wrote it.
     */
    static String userAgent(String instance) {
        return "pillion/v1beta1 (" + instance.replaceAll("[^A-Za-z0-9._-]", "_") + ")";
    }

    private static Config fromFile(Path kubeconfig) {
        if (!Files.isReadable(kubeconfig)) {
            throw new IllegalArgumentException("cannot read the kubeconfig " + kubeconfig);
        }
        try {
            return Config.fromKubeconfig(kubeconfig.toFile());
        } catch (RuntimeException e) {
            // The YAML reader throws its own kind, with the place drawn over several lines.
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IllegalArgumentException("the kubeconfig " + kubeconfig + " cannot be used: " + reason, e);
        }
    }

    public PodWrites podWrites() {
        return new HttpPodWrites(api, _ -> Optional.empty());
    }

    public Objects objects() {
        return new HttpObjects(api);
    }

    public ClusterReads reads() {
        return new HttpClusterReads(api, options.namespace());
    }

    public BarrierWrites barrierWrites() {
        return new HttpBarrierWrites(api);
    }

    public SetWrites setWrites() {
        return new HttpSetWrites(api);
    }

    public LiveReads liveReads() {
        return new HttpLiveReads(new RawApi(client, options.liveReadTimeout()), options.namespace(), options.liveReadTimeout());
    }

    /**
     * Leases of the own namespace.
     *
     * @param timeout of one request; a renewal must not wait as long as others may
     */
    public Leases leases(Duration timeout) {
        Duration shorter = timeout.compareTo(options.requestTimeout()) < 0 ? timeout : options.requestTimeout();
        return new HttpLeases(new RawApi(client, shorter), options.namespace());
    }

    /** The Secret of this name in the own namespace. */
    public SharedSecret sharedSecret(String name) {
        return new HttpSharedSecret(api, options.namespace(), name);
    }

    public WebhookWrites webhookWrites() {
        return new HttpWebhookWrites(api);
    }

    /** A running recorder of events; close it before the client, it then tries to send what is still waiting. */
    public EventRecorder events(Clock clock, RandomGenerator random) {
        EventRecorder recorder = new EventRecorder(api, options, clock, random);
        recorder.start();
        return recorder;
    }

    /** Whether the API server answers at all, and its version; blocking. */
    public String serverVersion() {
        return api.getTree("/version").path("gitVersion").asString("");
    }

    /** The fabric8 client, for what is read and written rarely. */
    KubernetesClient typed() {
        return client;
    }

    RawApi api() {
        return api;
    }

    KubeOptions options() {
        return options;
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}

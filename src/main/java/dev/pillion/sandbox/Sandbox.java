package dev.pillion.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;

import tools.jackson.databind.node.ObjectNode;

/**
 * A Kubernetes API server in this process, on loopback, with everything in memory: for tests and the demo. It has its own Vert.x.
 * A bearer token is taken for the name of the user; there is no authorization.
 */
public final class Sandbox implements AutoCloseable {
    private static final int EVENT_LOOPS = 2;
    private final Vertx vertx;
    private final ExecutorService threads;
    private final ApiServer server;
    private final AuditLog audit;
    private final ObjectStore store;
    private final String url;
    private final Optional<LoopbackCertificate> certificate;
    private final int port;
    private final List<HttpServer> listeners = new CopyOnWriteArrayList<>();

    private Sandbox(SandboxOptions options) {
        this.store = new ObjectStore(options.historyPerType(), System::nanoTime);
        this.audit = new AuditLog(options.auditLimit(), options.auditFile(), options.clock());
        this.threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("sandbox-", 0).factory());
        this.certificate = options.transport() == SandboxOptions.Transport.HTTPS
                ? Optional.of(LoopbackCertificate.create(options.clock().instant()))
                : Optional.empty();
        TypeRegistry types = new TypeRegistry(BuiltInTypes.all());
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS).setWorkerPoolSize(1));
        WebhookCalls calls = new WebhookCalls(vertx);
        Services services = new Services(store, types, new WebhookAdmission(store, types, calls), new ManagedFields(types, options.clock()),
                options.clock(),
                () -> UUID.randomUUID().toString(),
                RandomGenerator.getDefault());
        store.onCommit(new NamespaceSweep(services, new Deletions(services), threads)::onCommit);
        seed(services);
        new CustomTypes(store, types, new Conversion(calls, store), options.clock()).follow();
        TableRenderer tables = new Tables(types, options.clock());
        WatchAnswer watches = new WatchAnswer(store, tables, options, System::nanoTime);
        this.server = new ApiServer(new ResourceHandler(services, tables, watches, audit), types, threads);
        // Servers share a port only when all ask for the same one; a negative one is chosen freely, once.
        this.port = listen(options.port() == 0 ? -1 : options.port());
        this.url = (certificate.isPresent() ? "https" : "http") + "://127.0.0.1:" + port;
    }

    /** Starts a server; it answers when this returns. */
    public static Sandbox start(SandboxOptions options) {
        return new Sandbox(options);
    }

    /** Listens with every event loop; answers the port. */
    private int listen(int asked) {
        HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(asked).setMaxHeaderSize(64 * 1024)
                .setMaxInitialLineLength(16 * 1024).setTcpNoDelay(true);
        certificate.ifPresent(pem -> options.setSsl(true).setUseAlpn(true).setKeyCertOptions(
                new PemKeyCertOptions().addCertValue(Buffer.buffer(pem.chain())).addKeyValue(Buffer.buffer(pem.key()))));
        for (int i = 0; i < EVENT_LOOPS; i++) {
            listeners.add(await(vertx.createHttpServer(options).requestHandler(server::accept).listen()));
        }
        return listeners.getFirst().actualPort();
    }

    private static void seed(Services services) {
        Writes writes = new Writes(services);
        Target namespaces = new Target(services.types().find("namespaces").orElseThrow(), "v1", "", "", "");
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            ObjectNode namespace = Trees.object().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", name);
            writes.create(namespaces, namespace, NamespaceSweep.systemOptions());
        }
    }

    /** Such as "http://127.0.0.1:43211". */
    public String url() {
        return url;
    }

    /** A kubeconfig (YAML) for the user "admin". */
    public String kubeconfig() {
        return kubeconfig("admin");
    }

    /** A kubeconfig (YAML) whose user is known by that name in the audit log. (kubectl sends its token over HTTPS only.) */
    public String kubeconfig(String user) {
        List<String> lines = new ArrayList<>(List.of("apiVersion: v1", "kind: Config", "clusters:", "- name: sandbox", "  cluster:",
                "    server: " + url));
        certificate.ifPresent(pem -> lines.add("    certificate-authority-data: "
                + Base64.getEncoder().encodeToString(pem.authority().getBytes(StandardCharsets.UTF_8))));
        lines.addAll(List.of("users:", "- name: " + user, "  user:", "    token: " + user, "contexts:", "- name: sandbox", "  context:",
                "    cluster: sandbox", "    user: " + user, "current-context: sandbox", ""));
        return String.join("\n", lines);
    }

    /** Every write so far. */
    public AuditLog audit() {
        return audit;
    }

    /** Cuts every connection and listens no more, as a server that was killed; what is stored stays. */
    public void stopServing() {
        listeners.forEach(listener -> await(listener.close()));
        listeners.clear();
    }

    /** Listens again, at the same address. */
    public void serveAgain() {
        if (!listeners.isEmpty()) {
            throw new IllegalStateException("the sandbox serves already");
        }
        listen(port);
    }

    /** Holds every request but watches back, as a server whose store hangs; watches can be opened, and are silent. */
    public void freeze() {
        server.stall().begin();
    }

    /** Carries out what was held back, writes in the order of their arrival, also those whose client waits no more. */
    public void thaw() {
        server.stall().end();
    }

    /** Forgets the past of a type such as "pods" or "sidecarsets.apps.kruise.io": watches that resume from before now get 410. */
    public void forgetHistory(String type) {
        store.forgetHistory(type);
    }

    /**
     * Stores an object as it is, without defaults, validation or admission, and unseen by the audit log: for clusters too large to be
     * filled by requests. It gets a uid when it has none.
     *
     * @param type such as "pods" or "sidecarsets.apps.kruise.io"
     * @return the object as stored
     * @throws IllegalStateException when there is one of its name
     */
    public ObjectNode put(String type, ObjectNode object) {
        ObjectNode metadata = Trees.metadata(object);
        if (!metadata.has("uid")) {
            metadata.put("uid", UUID.randomUUID().toString());
        }
        String key = Stored.key(Trees.text(metadata, "namespace"), Trees.text(metadata, "name"));
        return store.create(type, key, object).orElseThrow(() -> new IllegalStateException(type + " " + key + " is there already")).tree();
    }

    /**
     * Changes a stored object as {@link #put} stores one, at its newest state; its watches tell of it.
     *
     * @throws IllegalStateException when there is none of that key
     */
    public void change(String type, String key, Consumer<ObjectNode> step) {
        Optional<Stored> changed = Optional.empty();
        while (changed.isEmpty()) {
            Stored before = store.get(type, key).orElseThrow(() -> new IllegalStateException(type + " " + key + " is not there"));
            ObjectNode after = before.tree().deepCopy();
            step.accept(after);
            changed = store.update(type, before, after);
        }
    }

    /** An object as it is stored, by its key in the type: "namespace/name", or "name". */
    public Optional<ObjectNode> get(String type, String key) {
        return store.get(type, key).map(Stored::tree);
    }

    ObjectStore store() {
        return store;
    }

    @Override
    public void close() {
        server.stop();
        await(vertx.close());
        threads.shutdownNow();
        audit.close();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the sandbox starts or stops", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the sandbox cannot start or stop: " + e.getMessage(), e);
        }
    }
}

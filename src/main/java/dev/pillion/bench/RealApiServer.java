package dev.pillion.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import dev.pillion.sandbox.FreePorts;

/**
 * An etcd and a kube-apiserver on loopback, ready in about 4 s (design.md 7): token file, RBAC, admission plugin
 * ServiceAccount off, an audit log. No controller runs: nothing collects owners, finishes namespaces or starts pods unless somebody does.
 * Processes and files go with {@link #close}, or when the JVM ends.
 */
public final class RealApiServer implements TargetServer {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final String SERVER = "kube-apiserver";
    private static final String STORE = "etcd";
    /** As a share of what lives: by default Go collects at 100%, which takes this small server a quarter of its CPU under load. */
    private static final String GARBAGE_PERCENT = "400";

    /** Somebody who may come, with a token of his own. */
    public record User(String name, List<String> groups) {
        /** Those who may do everything. */
        public static final String MASTERS = "system:masters";

        public User {
            groups = List.copyOf(groups);
        }
    }

    /**
     * What differs between servers.
     *
     * @param users the first one must be of {@link User#MASTERS}
     * @param auditPolicy YAML of audit.k8s.io/v1
     * @param flags further ones of kube-apiserver
     * @param audit is given the audit log to read, and must read on, since the server waits for it; empty: the log goes to a file
     */
    public record Setup(List<User> users, String auditPolicy, List<String> flags, Optional<Consumer<BufferedReader>> audit) {
        public Setup {
            users = List.copyOf(users);
            flags = List.copyOf(flags);
        }
    }

    private final Scratch scratch;
    private final Map<String, Process> processes = new ConcurrentHashMap<>();
    private final String token = UUID.randomUUID().toString();
    private final Setup setup;
    private final int port;
    private final Thread hook = new Thread(this::stop, "stop-real-api-server");
    private List<String> serverCommand = List.of();
    private String version = "";

    private RealApiServer(Scratch scratch, Setup setup, int port) {
        this.scratch = scratch;
        this.setup = setup;
        this.port = port;
    }

    /** Starts both; returns when the server is ready. @throws IllegalStateException with the end of the logs */
    public static RealApiServer start(Assets assets, Setup setup) {
        try {
            int[] ports = FreePorts.several(3);
            RealApiServer server = new RealApiServer(Scratch.create("apiserver"), setup, ports[0]);
            Runtime.getRuntime().addShutdownHook(server.hook);
            server.startEtcd(assets, ports[1], ports[2]);
            server.startServer(assets, ports[1]);
            return server;
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("the real API server did not start: " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return "kube-apiserver " + version;
    }

    @Override
    public Path kubeconfig(String user) {
        return scratch.file("kubeconfig-" + user);
    }

    @Override
    public List<Duration> cpu() {
        return List.of(Cost.of(process(SERVER).toHandle()), Cost.of(process(STORE).toHandle()));
    }

    /** The file, when the log goes to one. */
    public Path auditLog() {
        return scratch.file("audit.log");
    }

    private void startEtcd(Assets assets, int client, int peer) throws IOException {
        String clients = "http://127.0.0.1:" + client;
        String peers = "http://127.0.0.1:" + peer;
        // Test data needs no fsync; the disk is the slowest part of a start.
        Process _ = run(STORE,
                List.of(assets.program("etcd"), "--data-dir", scratch.file("etcd").toString(), "--listen-client-urls", clients,
                        "--advertise-client-urls", clients, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
                        "--initial-cluster", "default=" + peers, "--unsafe-no-fsync", "--quota-backend-bytes=" + (8L << 30)));
    }

    private void startServer(Assets assets, int etcd) throws IOException, NoSuchAlgorithmException {
        StringBuilder tokens = new StringBuilder();
        setup.users.forEach(user -> tokens.append("%s,%s,%s,\"%s\"%n".formatted(token(user.name), user.name, token(user.name),
                String.join(",", user.groups))));
        Files.writeString(scratch.file("tokens.csv"), tokens);
        Files.writeString(scratch.file("audit.yaml"), setup.auditPolicy);
        Files.writeString(scratch.file("sa.key"), newKey());
        List<String> command = new ArrayList<>(List.of(assets.program("kube-apiserver"), "--etcd-servers=http://127.0.0.1:" + etcd,
                "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port=" + port,
                "--cert-dir=" + scratch.file("certs"), "--token-auth-file=" + scratch.file("tokens.csv"), "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount", "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + scratch.file("sa.key"),
                "--service-account-signing-key-file=" + scratch.file("sa.key"), "--service-cluster-ip-range=10.0.0.0/24",
                "--endpoint-reconciler-type=none", "--audit-log-path=" + (setup.audit.isPresent() ? "-" : auditLog()),
                "--audit-policy-file=" + scratch.file("audit.yaml"), "--audit-log-mode=blocking",
                // Whoever judges by the log reads it to its end: it must not begin anew after 100 MB.
                "--audit-log-maxsize=0"));
        command.addAll(setup.flags);
        serverCommand = List.copyOf(command);
        serve();
        // The self-made certificate file holds its own CA as well.
        Path certificate = scratch.file("certs").resolve("apiserver.crt");
        await("its certificate",
                () -> Files.exists(certificate) && Files.readString(certificate).trim().endsWith("-----END CERTIFICATE-----"));
        byte[] authority = Files.readAllBytes(certificate);
        for (User user : setup.users) {
            Files.writeString(kubeconfig(user.name), kubeconfigText(authority, user.name));
        }
        version = awaitReady();
    }

    private void serve() throws IOException {
        Process server = run(SERVER, serverCommand);
        setup.audit.ifPresent(reader -> reader.accept(server.inputReader(StandardCharsets.UTF_8)));
    }

    /** Answers its version. */
    private String awaitReady() {
        try (KubernetesClient client = client()) {
            await("/readyz", () -> "ok".equals(client.raw("/readyz")));
            return client.getKubernetesVersion().getGitVersion();
        }
    }

    /**
     * Ends the server's process; what it stored stays in etcd. It is given a moment to finish the requests it has in work, so that the
     * audit log has all that was stored, and then killed: open watches would hold it for long.
     */
    public void stopServing() {
        Process server = process(SERVER);
        server.destroy();
        try {
            if (!server.waitFor(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                server.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        processes.remove(SERVER);
    }

    /** Starts it again with the same data, address and certificate; returns when it is ready. */
    public void serveAgain() {
        try {
            serve();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String _ = awaitReady();
    }

    /** SIGSTOP for etcd: its connections stay open and nothing answers. */
    public void freezeStore() {
        signalStore("STOP");
    }

    /** SIGCONT. */
    public void thawStore() {
        signalStore("CONT");
    }

    private void signalStore(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process(STORE).pid())).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + signal + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Process process(String name) {
        Process process = processes.get(name);
        if (process == null) {
            throw new IllegalStateException(name + " does not run");
        }
        return process;
    }

    private String token(String user) {
        return token + Integer.toHexString(user.hashCode());
    }

    private KubernetesClient client() {
        Config config = Config.fromKubeconfig(kubeconfig(setup.users.getFirst().name).toFile());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private void await(String what, Callable<Boolean> condition) {
        Waiting.until("the real API server has " + what, START, () -> {
            for (Process process : processes.values()) {
                if (!process.isAlive()) {
                    throw new IllegalStateException(
                            "kube-apiserver or etcd ended with " + process.exitValue() + ":\n" + scratch.end("kube-apiserver.log")
                                    + scratch.end("etcd.log"));
                }
            }
            return condition.call();
        });
    }

    private Process run(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(scratch.file(name + ".log").toFile())).directory(scratch.folder().toFile());
        builder.environment().putIfAbsent("GOGC", GARBAGE_PERCENT);
        if (setup.audit.isEmpty() || name.equals(STORE)) {
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        }
        Process process = builder.start();
        processes.put(name, process);
        return process;
    }

    private String kubeconfigText(byte[] certificate, String user) {
        return """
                apiVersion: v1
                kind: Config
                current-context: real
                contexts:
                - name: real
                  context: {cluster: real, user: "%s", namespace: default}
                clusters:
                - name: real
                  cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}
                users:
                - name: "%s"
                  user: {token: %s}
                """.formatted(user, port, Base64.getEncoder().encodeToString(certificate), user, token(user));
    }

    @Override
    public void close() {
        stop();
        Scratch.forget(hook);
    }

    private void stop() {
        processes.values().forEach(Process::destroyForcibly);
        try {
            for (Process process : processes.values()) {
                boolean _ = process.waitFor(START.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        scratch.close();
    }

    private static String newKey() throws NoSuchAlgorithmException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(key);
        return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
    }
}

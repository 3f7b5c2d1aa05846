package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/**
 * An etcd and a kube-apiserver on loopback, ready in about 4 s (design.md 7): token file with an admin and the shipped service
 * account, RBAC, admission plugin ServiceAccount off, every write in an audit file with both objects, and what the service account
 * reads or is refused. No controller runs: nothing collects owners, finishes namespaces or starts pods unless the test does. Processes and files go when the JVM ends.
 */
final class RealApiServer {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
            - level: None
              resources: [{group: authorization.k8s.io}]
            - level: RequestResponse
              verbs: [create, update, patch, delete, deletecollection]
            - level: Metadata
              users: ["%s"]
            - level: None
            """.formatted(ControllerRights.USER);

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final String token = UUID.randomUUID().toString();
    private final String controllerToken = UUID.randomUUID().toString();
    private final int port;

    private RealApiServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static RealApiServer start(Assets assets) {
        try {
            long began = System.nanoTime();
            int[] ports = freePorts(3);
            RealApiServer server = new RealApiServer(Files.createTempDirectory("pillion-apiserver-"), ports[0]);
            Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
            server.startEtcd(assets, ports[1], ports[2]);
            server.startServer(assets, ports[1]);
            System.out.printf("real API server: %s from %s, ready in %.1f s%n", server.version(), assets.folder(),
                    (System.nanoTime() - began) / 1e9);
            return server;
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("the real API server did not start", e);
        }
    }

    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** A kubeconfig of the shipped service account, which has no rights of its own. */
    Path controllerKubeconfig() {
        return folder.resolve("controller-kubeconfig");
    }

    Path auditLog() {
        return folder.resolve("audit.log");
    }

    private void startEtcd(Assets assets, int client, int peer) throws IOException {
        String clients = "http://127.0.0.1:" + client;
        String peers = "http://127.0.0.1:" + peer;
        // Test data needs no fsync; the disk is the slowest part of a start.
        run("etcd", assets.program("etcd"), "--data-dir", folder.resolve("etcd").toString(), "--listen-client-urls", clients,
                "--advertise-client-urls", clients, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
                "--initial-cluster", "default=" + peers, "--unsafe-no-fsync");
    }

    private void startServer(Assets assets, int etcd) throws IOException, NoSuchAlgorithmException {
        Files.writeString(folder.resolve("tokens.csv"), "%s,admin,admin,\"system:masters\"%n%s,%s,%s,\"%s\"%n".formatted(token,
                controllerToken, ControllerRights.USER, "controller", String.join(",", ControllerRights.GROUPS)));
        Files.writeString(folder.resolve("audit.yaml"), POLICY);
        Files.writeString(folder.resolve("sa.key"), newKey());
        run("kube-apiserver", assets.program("kube-apiserver"), "--etcd-servers=http://127.0.0.1:" + etcd, "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1", "--secure-port=" + port, "--cert-dir=" + folder.resolve("certs"),
                "--token-auth-file=" + folder.resolve("tokens.csv"), "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount", "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + folder.resolve("sa.key"), "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--service-cluster-ip-range=10.0.0.0/24", "--endpoint-reconciler-type=none", "--audit-log-path=" + auditLog(),
                "--audit-policy-file=" + folder.resolve("audit.yaml"), "--audit-log-mode=blocking");
        // The self-made certificate file holds its own CA as well.
        Path certificate = folder.resolve("certs").resolve("apiserver.crt");
        await("its certificate",
                () -> Files.exists(certificate) && Files.readString(certificate).trim().endsWith("-----END CERTIFICATE-----"));
        byte[] authority = Files.readAllBytes(certificate);
        Files.writeString(kubeconfig(), kubeconfigText(authority, "admin", token));
        Files.writeString(controllerKubeconfig(), kubeconfigText(authority, ControllerRights.USER, controllerToken));
        try (KubernetesClient client = client()) {
            await("/readyz", () -> "ok".equals(client.raw("/readyz")));
        }
    }

    private String version() {
        try (KubernetesClient client = client()) {
            return client.getKubernetesVersion().getGitVersion();
        }
    }

    private KubernetesClient client() {
        Config config = Config.fromKubeconfig(kubeconfig().toFile());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private void await(String what, Callable<Boolean> condition) {
        Eventually.until("the real API server has " + what + " (logs in " + folder + ")", START, () -> {
            for (Process process : processes) {
                if (!process.isAlive()) {
                    throw new IllegalStateException(process.info().command().orElse("a process") + " ended with " + process.exitValue());
                }
            }
            return condition.call();
        });
    }

    private void run(String name, String... command) throws IOException {
        processes.add(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve(name + ".log").toFile())
                .directory(folder.toFile()).start());
    }

    private String kubeconfigText(byte[] certificate, String user, String userToken) {
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
                """.formatted(user, port, Base64.getEncoder().encodeToString(certificate), user, userToken);
    }

    private void stop() {
        for (Process process : processes.reversed()) {
            process.destroyForcibly();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Process process : processes) {
                process.waitFor();
            }
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String newKey() throws NoSuchAlgorithmException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(key);
        return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
    }

    /** Ports that were free a moment ago, all different. */
    private static int[] freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        int[] ports = new int[count];
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports[i] = socket.getLocalPort();
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        return ports;
    }
}

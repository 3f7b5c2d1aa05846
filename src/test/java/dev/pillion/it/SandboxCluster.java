package dev.pillion.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.fabric8.kubernetes.client.KubernetesClient;

import dev.pillion.sandbox.Sandbox;
import dev.pillion.sandbox.SandboxOptions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sandbox of one test class. HTTPS, because kubectl sends its token over nothing else. */
final class SandboxCluster implements Cluster {
    private final Sandbox sandbox;
    private final Path folder;

    private SandboxCluster(Sandbox sandbox, Path folder) {
        this.sandbox = sandbox;
        this.folder = folder;
    }

    static SandboxCluster start() {
        return start(SandboxOptions.defaults());
    }

    static SandboxCluster start(SandboxOptions options) {
        try {
            Sandbox sandbox = Sandbox.start(options.withTransport(SandboxOptions.Transport.HTTPS));
            Path folder = Files.createTempDirectory("pillion-sandbox-");
            Files.writeString(folder.resolve("kubeconfig"), sandbox.kubeconfig());
            Files.writeString(folder.resolve("controller-kubeconfig"), sandbox.kubeconfig(ControllerRights.USER));
            return new SandboxCluster(sandbox, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "sandbox";
    }

    @Override
    public Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    @Override
    public String kubeconfigText() {
        return sandbox.kubeconfig();
    }

    @Override
    public Path controllerKubeconfig(String ownNamespace) {
        try (KubernetesClient client = client()) {
            ControllerRights.grant(client, ownNamespace);
        }
        return serviceAccountKubeconfig();
    }

    @Override
    public Path serviceAccountKubeconfig() {
        return folder.resolve("controller-kubeconfig");
    }

    @Override
    public List<JsonNode> controllerRequests() {
        return auditLines().stream().filter(ControllerRights::isAskedByController).toList();
    }

    @Override
    public List<JsonNode> auditLines() {
        return sandbox.audit().lines().stream().map(JsonMapper.shared()::readTree).toList();
    }

    @Override
    public void stopServing() {
        sandbox.stopServing();
    }

    @Override
    public void serveAgain() {
        sandbox.serveAgain();
    }

    @Override
    public void freezeStore() {
        sandbox.freeze();
    }

    @Override
    public void thawStore() {
        sandbox.thaw();
    }

    @Override
    public void close() {
        sandbox.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}

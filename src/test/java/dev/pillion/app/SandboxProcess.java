package dev.pillion.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.pillion.api.Json;
import dev.pillion.it.Cluster;

import tools.jackson.databind.JsonNode;

/** {@code pillion sandbox} as a process: all that is known of it are the two files it writes. */
final class SandboxProcess implements Cluster {
    private final PillionProcess process;
    private final Path kubeconfig;
    private final Path audit;

    private SandboxProcess(PillionProcess process, Path kubeconfig, Path audit) {
        this.process = process;
        this.kubeconfig = kubeconfig;
        this.audit = audit;
    }

    /** Returns when the sandbox serves. */
    static SandboxProcess start(Path folder) {
        Path kubeconfig = folder.resolve("kubeconfig");
        Path audit = folder.resolve("audit.log");
        PillionProcess process = PillionProcess.start("sandbox", "--kubeconfig-out", kubeconfig.toString(), "--audit-log",
                audit.toString());
        process.awaitOutput("sandbox at http");
        return new SandboxProcess(process, kubeconfig, audit);
    }

    /** SIGTERM; returns the exit code. */
    int terminate() throws InterruptedException {
        return process.terminate();
    }

    @Override
    public String name() {
        return "sandbox process";
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public String kubeconfigText() {
        try {
            return Files.readString(kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<JsonNode> auditLines() {
        try {
            return Files.readAllLines(audit).stream().flatMap(line -> Json.tryRead(line).stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            process.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.pillion.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import dev.pillion.sandbox.Sandbox;
import dev.pillion.sandbox.SandboxOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** pillion sandbox: the API double as a process of its own. */
@Command(name = "sandbox", description = "Serves a small Kubernetes API on loopback, for trials and tests.", mixinStandardHelpOptions = true, abbreviateSynopsis = true, usageHelpWidth = 120)
final class SandboxCommand implements Callable<Integer> {
    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "Default: any free one.")
    private int port;

    @Option(names = "--kubeconfig-out", paramLabel = "FILE", description = "Where the kubeconfig is written. Default: printed.")
    private @Nullable Path kubeconfig;

    @Option(names = "--audit-log", paramLabel = "FILE", description = "Where every write is noted, one JSON line each.")
    private @Nullable Path auditLog;

    @Override
    public Integer call() throws InterruptedException {
        SandboxOptions options = SandboxOptions.defaults().withPort(port);
        if (auditLog != null) {
            options = options.withAuditFile(auditLog);
        }
        try {
            Sandbox sandbox = Sandbox.start(options);
            if (kubeconfig == null) {
                System.out.print(sandbox.kubeconfig());
            } else {
                writeWhole(kubeconfig, sandbox.kubeconfig());
                System.out.println("sandbox at " + sandbox.url() + ", kubeconfig " + kubeconfig);
            }
            return Stop.onSignal(sandbox);
        } catch (IOException | IllegalStateException e) {
            System.err.println("pillion: " + e.getMessage());
            return 1;
        }
    }

    /** Others wait for the file to appear: it must never be seen half written. */
    private static void writeWhole(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

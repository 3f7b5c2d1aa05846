package dev.pillion.bench;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The sandbox as a process of its own. Its audit log has no reads. */
final class SandboxServer implements TargetServer {
    private final Scratch scratch;
    private final PartProcess part;

    private SandboxServer(Scratch scratch, PartProcess part) {
        this.scratch = scratch;
        this.part = part;
    }

    /** @param audit is given the audit log to read */
    static SandboxServer start(Consumer<BufferedReader> audit) {
        Scratch scratch = Scratch.create("sandbox");
        PartProcess part = PartProcess.start(scratch, List.of(), List.of("sandbox", "--folder", scratch.folder().toString()));
        part.ask("kubeconfigs");
        audit.accept(part.output());
        return new SandboxServer(scratch, part);
    }

    @Override
    public String name() {
        return "sandbox";
    }

    @Override
    public Path kubeconfig(String user) {
        return scratch.file("kubeconfig-" + user);
    }

    @Override
    public void close() {
        part.close();
    }
}

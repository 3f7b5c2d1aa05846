package dev.pillion.bench;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The sandbox as a process of its own. Its audit log has no reads. */
final class SandboxServer implements TargetServer {
    private final Scratch scratch;
    private final PartProcess part;

    private SandboxServer(Scratch scratch, PartProcess part) {
        this.scratch = scratch;
        this.part = part;
    }

    /** @param audit is given the audit log to read; nothing can be ordered then */
    static SandboxServer start(Consumer<BufferedReader> audit) {
        return start(Optional.of(audit));
    }

    /** One that takes orders. */
    static SandboxServer start() {
        return start(Optional.empty());
    }

    private static SandboxServer start(Optional<Consumer<BufferedReader>> audit) {
        Scratch scratch = Scratch.create("sandbox");
        List<String> arguments = new ArrayList<>(List.of("sandbox", "--folder", scratch.folder().toString()));
        audit.ifPresent(_ -> arguments.add("--audit"));
        PartProcess part = PartProcess.start(scratch, List.of(), arguments);
        part.ask("kubeconfigs");
        audit.ifPresent(reader -> reader.accept(part.output()));
        return new SandboxServer(scratch, part);
    }

    /** Tells it to fill itself past its API, or asks for the number of writes; see {@link PartCommand.SandboxPart}. */
    String ask(String order) {
        return part.ask(order);
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
    public List<Duration> cpu() {
        return List.of(part.cpu());
    }

    @Override
    public void close() {
        part.close();
    }
}

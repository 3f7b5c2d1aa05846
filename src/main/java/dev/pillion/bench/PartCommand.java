package dev.pillion.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.pillion.demo.ControllerStarter;
import dev.pillion.sandbox.Sandbox;
import dev.pillion.sandbox.SandboxOptions;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pillion bench part}: one side of a measurement, started by the others in a process of its own. */
@Command(name = "part", hidden = true, description = "A part of a measurement; started by the other commands.")
final class PartCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    static CommandLine of(ControllerStarter starter) {
        return new CommandLine(new PartCommand()).addSubcommand(new ControllerPart(starter)).addSubcommand(new SandboxPart());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "name the part: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** The controller. Orders: start, stop, cost (JSON), heap (bytes in use after a collection). */
    @Command(name = "controller", description = "The controller.")
    static final class ControllerPart implements Callable<Integer> {
        private final ControllerStarter starter;

        @Option(names = "--kubeconfig", required = true, description = "The cluster.")
        private Path kubeconfig = Path.of("");

        @Parameters(arity = "0..*", description = "Settings, as flags of \"run\".")
        private List<String> settings = new ArrayList<>();

        private Optional<AutoCloseable> running = Optional.empty();

        ControllerPart(ControllerStarter starter) {
            this.starter = starter;
        }

        @Override
        public Integer call() throws Exception {
            Part.run(this::carryOut);
            stop();
            return 0;
        }

        private String carryOut(String order) throws Exception {
            return switch (order) {
                case "start" -> {
                    running = Optional.of(starter.start(kubeconfig, settings));
                    yield "ready";
                }
                case "stop" -> {
                    stop();
                    yield "stopped";
                }
                case "cost" -> Cost.ofThisProcess().toJson();
                case "heap" -> Long.toString(Heap.afterCollection());
                default -> throw new IllegalArgumentException("unknown order");
            };
        }

        private void stop() throws Exception {
            if (running.isPresent()) {
                running.get().close();
                running = Optional.empty();
            }
        }
    }

    /** The sandbox. Prints its audit log; the only order, kubeconfigs, writes them. */
    @Command(name = "sandbox", description = "The sandbox.")
    static final class SandboxPart implements Callable<Integer> {
        private static final Path OUTPUT = Path.of("/dev/stdout");

        @Option(names = "--folder", required = true, description = "Where the kubeconfigs go.")
        private Path folder = Path.of("");

        @Override
        public Integer call() throws IOException {
            SandboxOptions options = SandboxOptions.defaults().withTransport(SandboxOptions.Transport.HTTPS).withAuditLimit(0)
                    .withAuditFile(OUTPUT);
            try (Sandbox sandbox = Sandbox.start(options)) {
                Part.run(order -> {
                    for (String user : List.of(TargetServer.CONTROLLER, TargetServer.BENCH)) {
                        Files.writeString(folder.resolve("kubeconfig-" + user), sandbox.kubeconfig(user));
                    }
                    return "ready";
                });
            }
            return 0;
        }
    }
}

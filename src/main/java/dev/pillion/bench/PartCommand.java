package dev.pillion.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.BusMessage.CertChanged;
import dev.pillion.demo.AuditLog;
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
        return new CommandLine(new PartCommand()).addSubcommand(new ControllerPart(starter)).addSubcommand(new SandboxPart())
                .addSubcommand(new EchoPart());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "name the part: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** The controller. Orders: start, stop, cost (JSON), heap (bytes in use after a collection), peak (the most of it so far). */
    @Command(name = "controller", description = "The controller.")
    static final class ControllerPart implements Callable<Integer> {
        private final ControllerStarter starter;
        private final Heap heap = Heap.watch();

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
                case "peak" -> Long.toString(heap.most());
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

    /** An echo as in {@link EchoVerticle}, in a process that does nothing else. Orders: port; cost (JSON). */
    @Command(name = "echo", description = "A server that admits everything without looking.")
    static final class EchoPart implements Callable<Integer> {
        @Option(names = "--certificate", required = true, description = "Folder with tls.crt and tls.key.")
        private Path folder = Path.of("");

        @Override
        public Integer call() throws IOException {
            CertChanged pair = new CertChanged(Files.readString(folder.resolve("tls.crt")), Files.readString(folder.resolve("tls.key")));
            try (BenchServer server = BenchServer.echo(pair)) {
                Part.run(order -> switch (order) {
                    case "port" -> Integer.toString(server.port());
                    case "cost" -> Cost.ofThisProcess().toJson();
                    default -> throw new IllegalArgumentException("unknown order");
                });
            }
            return 0;
        }
    }

    /**
     * The sandbox. Orders: kubeconfigs (writes them); sets N, pods N SETS (fill it with a {@link Population}), stir N RATE
     * (make events, see there), miscounted (the number of sets whose status is wrong); writes (the number of writes
     * of sets, Pods and revisions so far).
     */
    @Command(name = "sandbox", description = "The sandbox.")
    static final class SandboxPart implements Callable<Integer> {
        private static final Path OUTPUT = Path.of("/dev/stdout");
        private static final Set<String> COUNTED = Set.of("sidecarsets", "pods", "controllerrevisions");

        @Option(names = "--folder", required = true, description = "Where the kubeconfigs go.")
        private Path folder = Path.of("");

        @Option(names = "--audit", description = "Print the audit log, after the first answer.")
        private boolean audit;

        @Override
        public Integer call() throws IOException {
            SandboxOptions options = SandboxOptions.defaults().withTransport(SandboxOptions.Transport.HTTPS);
            try (Sandbox sandbox = Sandbox.start(audit ? options.withAuditLimit(0).withAuditFile(OUTPUT) : options)) {
                Population population = new Population(sandbox);
                Part.run(order -> carryOut(List.of(order.split(" ", -1)), sandbox, population));
            }
            return 0;
        }

        private String carryOut(List<String> order, Sandbox sandbox, Population population) throws IOException {
            switch (order.getFirst()) {
                case "kubeconfigs" -> {
                    for (String user : List.of(TargetServer.CONTROLLER, TargetServer.BENCH)) {
                        Files.writeString(folder.resolve("kubeconfig-" + user), sandbox.kubeconfig(user));
                    }
                }
                case "sets" -> population.sets(Integer.parseInt(order.get(1)));
                case "pods" -> population.pods(Integer.parseInt(order.get(1)), sets(sandbox, Integer.parseInt(order.get(2))));
                case "stir" -> population.stir(Integer.parseInt(order.get(1)), Integer.parseInt(order.get(2)));
                case "miscounted" -> {
                    return Integer.toString(population.miscounted());
                }
                case "writes" -> {
                    return Long.toString(sandbox.audit().lines().stream().flatMap(line -> Json.tryRead(line).stream())
                            .flatMap(event -> AuditLog.write(event).stream()).filter(write -> COUNTED.contains(write.resource())).count());
                }
                default -> throw new IllegalArgumentException("unknown order");
            }
            return "done";
        }

        private static List<SidecarSet> sets(Sandbox sandbox, int count) {
            return IntStream.range(0, count)
                    .mapToObj(i -> sandbox.get(Population.SETS, Population.set(i)).map(SidecarSet::of).orElseThrow()).toList();
        }
    }
}
